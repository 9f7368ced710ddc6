import HTTPModel
import Testing

@Suite struct HTTPFieldValueTests {
    @Test(arguments: ["", "a", "a b", "a\tb", "\"7\"", "caf\u{E9}", String(repeating: "x", count: 10_000)])
    func `a valid value is accepted`(text: String) {
        #expect(HTTPFieldValue(text)?.string == text)
    }

    @Test(arguments: [
        " a", "a ", "\ta", "a\t", "a\r\nb: c", "a\nb", "a\rb", "a\0b", "\u{7F}", "a\u{1}b", "\n", " ",
    ])
    func `a value that could break the head or change in transit is rejected`(text: String) {
        #expect(HTTPFieldValue(text) == nil)
    }

    @Test func `a number is formatted with decimal digits`() {
        #expect(HTTPFieldValue(1_048_576).string == "1048576")
        #expect(HTTPFieldValue(UInt8.max).string == "255")
    }
}

@Suite struct HTTPFieldNameTests {
    @Test(arguments: ["X-Request-ID", "Content-Type", "!#$%&'*+-.^_`|~09az"])
    func `a name is a token and is lowercased`(name: String) {
        #expect(HTTPFieldName(name)?.lowercased == name.lowercased())
    }

    @Test(arguments: ["", " a", "a ", "a:", "a b", "a\r", "caf\u{E9}", "a\0", "(a)", "a/b", "a\"", "a@b", "[", "{"])
    func `a name that is not a token is rejected`(name: String) {
        #expect(HTTPFieldName(name) == nil)
    }

    @Test func `a literal that is not a token traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HTTPFieldName(stringLiteral: "no token")
        }
    }
}
