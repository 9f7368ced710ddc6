import Testing

@testable import MachineHost

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
        ("1e+", 3), ("00", 1), ("0x10", 1), ("-", 1), ("tru", 0), ("True", 0), ("nulll", 4), ("'a'", 0),
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

    @Test func `every proper prefix of a document is rejected, at its end at the latest`() {
        let document = Array(
            "{\"k\\u00e4\":[1.5e3,true,null,\"x\\ud83d\\ude00\"],\"ö\":{\"a\":-0}}".utf8)
        #expect(error(document) == nil)
        for count in 0..<document.count {
            let offset = error(Array(document[..<count]))?.offset
            #expect(offset.map { $0 <= count } == true, "\(count) bytes")
        }
    }
}

struct JSONValueTests {
    private func value(_ text: String) throws -> JSONValue {
        let bytes = Array(text.utf8)
        return JSONValue(bytes: bytes, range: try JSONScanner.document(bytes, nestingLimit: 64))
    }

    @Test(arguments: [
        ("\"\"", ""), ("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\u{8}\u{C}\n\r\tz"),
        ("\"\\u0041\\u00e4\"", "Aä"),
        ("\"\\ud83d\\ude00!\"", "😀!"), ("\"\\u0000\"", "\0"), ("\"ä\\nö\"", "ä\nö"),
    ])
    func `escapes in a string are decoded`(json: String, text: String) throws {
        #expect(try value(json).string == text)
    }

    @Test func `members are found by name, and elements are visited in order`() throws {
        let object = try value(" {\"a\" : [1, \"x\" ,{}] , \"\\u0062\":null} ")
        let elements = try #require(object.member("a")?.elements)
        #expect(elements.map { String(decoding: $0.slice, as: UTF8.self) } == ["1", "\"x\"", "{}"])
        #expect(elements.map(\.kind) == [.number, .string, .object])
        #expect(object.member("b")?.kind == .null)
        #expect(object.member("c") == nil)
        #expect(object.elements == nil)
        #expect(try value("[]").member("a") == nil)
    }

    @Test func `the last of several members with the same name wins`() throws {
        #expect(try value("{\"a\":1,\"a\":true}").member("a")?.kind == .boolean)
    }
}
