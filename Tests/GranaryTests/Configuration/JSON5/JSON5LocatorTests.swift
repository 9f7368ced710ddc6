import Testing

@testable import Granary

struct JSON5LocatorTests {
    private func places(_ text: String) throws -> [String] {
        try JSON5Locator.entries(in: text).map { "\($0.path.joined(separator: "/"))@\($0.position)" }
    }

    private func mistake(_ text: String) -> String? {
        do {
            _ = try JSON5Locator.entries(in: text)
            return nil
        } catch {
            return "\(error.position) \(error.message)"
        }
    }

    @Test func `keys are found with any quotes, and comments and strings are skipped`() throws {
        let text = """
            // { a: 1 }
            {
              one: 1, /* two: 2,
              */ 'tw\\'o': "}, x: 3",
              "three": { four: [ { inside: 1 } ], $five_5: -Infinity },
            }
            """
        #expect(try places(text) == ["one@3:3", "tw'o@4:6", "three@5:3", "three/four@5:14", "three/$five_5@5:39"])
    }

    @Test func `a line break of one or two characters counts as one line`() throws {
        #expect(try places("{\r\n\r\na: 1,\nb: 2}") == ["a@3:1", "b@4:1"])
    }

    @Test(arguments: [
        ("", "1:1 expected a value, got the end of the text"),
        ("{", "1:2 expected a key, got the end of the text"),
        ("{a}", "1:3 expected a colon, got '}'"),
        ("{a: 1 b: 2}", "1:7 expected a comma or a closing brace, got 'b'"),
        ("{a: }", "1:5 expected a value, got '}'"),
        ("{a: 'x\n'}", "1:7 expected a closing quote, got the end of the line"),
        ("{a: 1} 2", "1:8 expected the end of the document, got '2'"),
        ("{a: yes}", "1:5 expected a value, got 'y'"),
        ("{ /* a: 1 }", "1:3 expected a comment that is closed by */, got '/'"),
        ("{1a: 1}", "1:2 expected a key, got '1'"),
    ])
    func `an error states its location, the expectation and the input`(text: String, message: String) {
        #expect(mistake(text) == message)
    }

    @Test func `a deeply nested file is rejected and does not exhaust the stack`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(mistake(deep) == "1:33 expected at most 32 levels of nesting, got '['")
    }
}
