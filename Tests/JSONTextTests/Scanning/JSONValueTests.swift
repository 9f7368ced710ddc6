import Testing

@testable import JSONText

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
    func `the escapes of a string are decoded`(json: String, text: String) throws {
        #expect(try value(json).string == text)
    }

    @Test func `members and elements are found by name and in order`() throws {
        let object = try value(" {\"a\" : [1, \"x\" ,{}] , \"\\u0062\":null} ")
        let elements = try #require(object.member("a")?.elements)
        #expect(elements.map { String(decoding: $0.slice, as: UTF8.self) } == ["1", "\"x\"", "{}"])
        #expect(elements.map(\.kind) == [.number, .string, .object])
        #expect(object.member("b")?.kind == .null)
        #expect(object.member("c") == nil)
        #expect(object.elements == nil)
        #expect(try value("[]").member("a") == nil)
    }

    @Test func `the last member with a name counts`() throws {
        #expect(try value("{\"a\":1,\"a\":true}").member("a")?.kind == .boolean)
    }
}
