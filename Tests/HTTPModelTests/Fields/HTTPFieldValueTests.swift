import HTTPModel
import Testing

@Suite struct HTTPFieldValueTests {
    @Test(arguments: ["", "a", "a b", "a\tb", "\"7\"", "caf\u{E9}", String(repeating: "x", count: 10_000)])
    func `takes what may be sent`(text: String) {
        #expect(HTTPFieldValue(text)?.string == text)
    }

    @Test(arguments: [
        " a", "a ", "\ta", "a\t", "a\r\nb: c", "a\nb", "a\rb", "a\0b", "\u{7F}", "a\u{1}b", "\n", " ",
    ])
    func `refuses what would break the head or change on its way`(text: String) {
        #expect(HTTPFieldValue(text) == nil)
    }

    @Test func `a number is written in digits`() {
        #expect(HTTPFieldValue(1_048_576).string == "1048576")
        #expect(HTTPFieldValue(UInt8.max).string == "255")
    }
}

@Suite struct HTTPFieldNameTests {
    @Test(arguments: ["X-Request-ID", "Content-Type", "!#$%&'*+-.^_`|~09az"])
    func `a name is a token and loses its case`(name: String) {
        #expect(HTTPFieldName(name)?.lowercased == name.lowercased())
    }

    @Test(arguments: ["", " a", "a ", "a:", "a b", "a\r", "caf\u{E9}", "a\0", "(a)", "a/b", "a\"", "a@b", "[", "{"])
    func `refuses what is no token`(name: String) {
        #expect(HTTPFieldName(name) == nil)
    }

    @Test func `a trap names a literal that is no token`() async {
        await #expect(processExitsWith: .failure) {
            _ = HTTPFieldName(stringLiteral: "no token")
        }
    }
}
