import CombineCore
import Testing

@Suite struct CodingTests {
    struct Words: TopLevelEncoder, TopLevelDecoder {
        func encode<T: Encodable>(_ value: T) throws -> String {
            guard let number = value as? Int, number > 0 else { throw Mishap.first }
            return String(repeating: "x", count: number)
        }

        func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
            guard !text.isEmpty, let value = text.count as? T else { throw Mishap.second }
            return value
        }
    }

    @Test func `values are encoded and decoded until the coder throws`() {
        #expect([2, 1].publisher.encode(encoder: Words()).events() == ["xx", "x", "finished"])
        #expect([1, 0, 2].publisher.encode(encoder: Words()).events() == ["x", "failure first"])
        #expect(["xx", ""].publisher.decode(type: Int.self, decoder: Words()).events() == ["2", "failure second"])
        #expect(Just(3).encode(encoder: Words()).record().log.first == "subscription Encode")
    }
}
