import Foundation
import Testing

@testable import JSONText

struct JSON5ScannerTests {
    private func error(_ text: String) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONScanner.document(Array(text.utf8), nestingLimit: 8, grammar: .json5)
            return nil
        } catch {
            return error
        }
    }

    private func isAcceptedByFoundation(_ text: String) -> Bool {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        struct Anything: Decodable { init(from decoder: any Decoder) {} }
        return (try? decoder.decode(Anything.self, from: Data(text.utf8))) != nil
    }

    @Test(arguments: [
        "{}", "[]", "{a: 1}", "{a: 1,}", "[1,]", "'a'", "'it\\'s'", "\"it's\"", "{'a b': 1}", "{$a_1: 1}", "{ä: 1}",
        "// c\n1", "1 // c", "/* c */ 1 /* * / */", "{a /* c */ : /* c */ 1}", "+1", "-1", ".5", "5.", "1e3", "0x1F",
        "-0xaf", "Infinity", "-Infinity", "+Infinity", "NaN", "-NaN", "'\\x41'", "'\\u00e4'", "'a\\\nb'", "'a\\\r\nb'",
        "'\\a'", "'\\0'", "'\t'", "\u{FEFF}1", "\u{A0}1\u{2028}", "{\"a\": [null, true, false]}", "'😀'",
    ])
    func `JSON5 is accepted`(text: String) {
        #expect(error(text) == nil)
    }

    @Test(arguments: [
        ("", 0), ("{", 1), ("{a}", 2), ("{a: }", 4), ("{a: 1 b: 2}", 6), ("{,}", 1), ("[,]", 1), ("[1,,]", 3),
        ("'a", 2),
        ("'a\n'", 2), ("{1a: 1}", 1), ("yes", 0), ("1 2", 2), ("/* a", 0), ("/ 1", 0), ("1 /", 2), ("+", 1), (".", 1),
        ("0x", 2), ("'\\1'", 2), ("'\\xg0'", 3), ("{a: 1} 2", 7), ("++1", 1), ("1.e", 3), ("{a: 'x}", 7),
    ])
    func `anything else is refused where it stops being JSON5`(text: String, offset: Int) {
        #expect(error(text)?.offset == offset, "\(text)")
    }

    @Test(arguments: ["{a: 1,}", "[1,]", "// c\n1", "{a}", "[1,,]", "'a", "yes", "1 2", "/* a", "01", "+1", "0x1F"])
    func `Foundation agrees`(text: String) {
        #expect((error(text) == nil) == isAcceptedByFoundation(text))
    }

    @Test(arguments: [
        ("{a: 1}", "a"), ("{'it\\'s': 1}", "it's"), ("{\"a\\tb\": 1}", "a\tb"), ("{\\u0061b: 1}", "ab"),
        ("{ä: 1}", "ä"),
        ("{'\\x41\\\nb': 1}", "Ab"),
    ])
    func `keys are decoded`(text: String, name: String) throws {
        let bytes = Array(text.utf8)
        var names: [String] = []
        var scanner = JSONScanner(bytes, grammar: .json5)
        try scanner.members { key, _ in names.append(JSONValue(bytes: bytes, range: key).keyText) }
        #expect(names == [name])
    }

    @Test(arguments: ["{a: 1}", "[1,]", "'a'", "// c\n1", "+1", "NaN", "\u{A0}1"])
    func `none of it is JSON`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONScanner.document(Array(text.utf8), nestingLimit: 8) }
    }
}
