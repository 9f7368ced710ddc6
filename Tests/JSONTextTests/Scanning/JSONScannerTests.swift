import Testing

@testable import JSONText

struct JSONScannerTests {
    private func error(_ text: [UInt8], nesting: Int = 64) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONScanner.document(text, nestingLimit: nesting)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "-0.5e+10", "1E400", "12345678901234567890123", "\"\"",
        "\"a\\u00e4\\n\"",
        "\"\\ud83d\\ude00\"", "[]", "{}", " [1 , 2]\r\n", "{\"a\":{\"b\":[null]}}", "{\"a\":1,\"a\":2}",
        "\"\u{7F}ä€😀\"",
    ])
    func `valid JSON is accepted`(text: String) {
        #expect(error(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("", 0), (" ", 1), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("+1", 0), (".5", 0),
        ("1.", 2), ("1e", 2),
        ("1e+", 3), ("00", 1), ("0x10", 1), ("-", 1), ("tru", 3), ("True", 0), ("nulll", 4), ("'a'", 0),
        ("\"a", 2),
        ("\"\t\"", 1), ("\"\\x\"", 2), ("\"\\u12g4\"", 5), ("\"\\udc00\"", 1), ("\"\\ud800x\"", 1),
        ("\"\\ud800\\u0041\"", 1), ("[1 2]", 3), ("[,1]", 1), ("[1,]", 3), ("[", 1), ("{1:2}", 1),
        ("{\"a\"1}", 4),
        ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{", 1), ("[}", 1), ("// x\n1", 0), ("1 // x", 2),
        ("\u{A0}1", 0),
    ])
    func `invalid JSON is rejected at the offset of the error`(text: String, offset: Int) {
        #expect(error(Array(text.utf8))?.offset == offset)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xFF],
            [0xFE],
        ] as [[UInt8]])
    func `text that is not valid UTF-8 is rejected`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(error([quote] + bytes + [quote]) == JSONSyntaxError(offset: 1, expected: "UTF-8"))
        #expect(error([quote] + bytes) != nil)
    }

    @Test func `the nesting depth is bounded regardless of the size`() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(error(deep) == JSONSyntaxError(offset: 64, expected: "at most 64 levels of nesting"))
        #expect(error(Array("{\"a\":[{}]}".utf8), nesting: 3) == nil)
        #expect(error(Array("{\"a\":[{}]}".utf8), nesting: 2)?.offset == 6)
    }

    @Test func `every proper prefix of a document is rejected at its end`() {
        let document = Array(
            "{\"k\\u00e4\":[1.5e3,true,null,\"x\\ud83d\\ude00\"],\"ö\":{\"a\":-0}}".utf8)
        #expect(error(document) == nil)
        for count in 0..<document.count {
            let prefix = Array(document[..<count])
            #expect(error(prefix)?.isAtEnd(of: prefix) == true, "\(count) bytes")
        }
    }
}
