import HTTPModel
import Testing

@Suite struct HTTPMethodTests {
    private let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .connect, .trace]

    @Test func `methods are the same if their tokens are, however they were created`() {
        for method in known {
            let parsed = HTTPMethod(rawValue: method.rawValue)
            #expect(parsed == method && parsed.hashValue == method.hashValue)
            #expect(known.count { $0 == parsed } == 1)
            #expect(parsed != HTTPMethod(rawValue: method.rawValue.lowercased()))
            #expect(parsed != HTTPMethod(rawValue: method.rawValue + "X"))
        }
        #expect(HTTPMethod(rawValue: "PURGE") == HTTPMethod(rawValue: "PURGE"))
        #expect(HTTPMethod(rawValue: "PURGE") != HTTPMethod(rawValue: "LINK"))
    }
}
