import CombineCore
import CombineTesting

extension OperatorTable {
    private static let mirror: [String?] = ["downstream", "finished", "upstreamSubscription"]

    static let coding: [OperatorCase] = [
        OperatorCase("encode", .init(all, keepsEveryValue: true, description: "Encode", mirror: mirror)) {
            $0.encode(encoder: NumberCoder())
        },
        OperatorCase(
            "encode that fails",
            .init(["1", "2"], ending: .failed, finishesEarly: true, description: "Encode", mirror: mirror)
        ) { $0.encode(encoder: NumberCoder(limit: 3)) },
        OperatorCase("decode", .init(all, keepsEveryValue: true, description: "Decode", mirror: mirror)) {
            $0.decode(type: Int.self, decoder: NumberCoder())
        },
        OperatorCase(
            "decode that fails",
            .init(["1", "2"], ending: .failed, finishesEarly: true, description: "Decode", mirror: mirror)
        ) { $0.decode(type: Int.self, decoder: NumberCoder(limit: 3)) },
    ]
}

/// A coder that encodes numbers below a limit as text and decodes them unchanged.
private struct NumberCoder: TopLevelEncoder, TopLevelDecoder {
    var limit = Int.max

    func encode<T: Encodable>(_ value: T) throws -> String {
        if let number = value as? Int, number >= limit { throw TestError(number) }
        return "\(value)"
    }

    func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
        guard number < limit, let value = number as? T else { throw TestError(number) }
        return value
    }
}
