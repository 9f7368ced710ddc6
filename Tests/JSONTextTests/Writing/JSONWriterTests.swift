import JSONText
import Testing

struct JSONWriterTests {
    @Test func `control characters, quotes and backslashes are escaped, everything else is unchanged`() {
        #expect(
            JSONWriter.quoted("a\"b\\c\n\r\t\u{0}\u{1F}\u{7F}\u{E9}\u{1F33E}")
                == "\"a\\\"b\\\\c\\n\\r\\t\\u0000\\u001f\u{7F}\u{E9}\u{1F33E}\"")
    }

    @Test func `characters that terminals act on are escaped for them`() {
        #expect(
            JSONWriter.escapedForTerminal("a\"\\\n\t\u{1B}\u{7F}\u{9B}\u{2028}\u{E9}")
                == "a\\\"\\\\\\n\\u0009\\u001b\\u007f\\u009b\\u2028\u{E9}")
    }

    @Test(
        arguments: [
            0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x180B...0x180F, 0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFF0...0xFFFB,
            0xE0000...0xE0FFF,
        ] as [ClosedRange<UInt32>])
    func `characters that nobody sees are escaped`(range: ClosedRange<UInt32>) throws {
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            let text = JSONWriter.escapedForTerminal("a\(scalar)b")
            #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && text.count > 3, "U+\(String(value, radix: 16))")
            // It is still the same JSON string.
            let bytes = Array("\"\(text)\"".utf8)
            #expect(JSONValue(bytes: bytes, range: bytes.indices).string == "a\(scalar)b")
        }
    }

    @Test func `visible characters are unchanged`() {
        let text = " é\u{A0}日本語 مرحبا שלום 🌾 🇯🇵 e\u{301}"
        #expect(JSONWriter.escapedForTerminal(text) == text)
    }

    @Test(
        arguments: [0, 9, 10, 99, 100, 9_999_999_999, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, .max]
            as [UInt64])
    func `a number is written in decimal digits`(number: UInt64) {
        var json: [UInt8] = Array("[".utf8)
        JSONWriter.append(number, to: &json)
        #expect(String(decoding: json, as: UTF8.self) == "[\(number)")
    }

    @Test func `integers are written with their sign, up to their limits`() throws {
        func text(_ number: some FixedWidthInteger & JSONWritable) throws -> String {
            var json: [UInt8] = []
            try number.append(to: &json)
            return String(decoding: json, as: UTF8.self)
        }
        for number in [Int.min, -10, -9, -1, 0, 1, 10, .max] { #expect(try text(number) == "\(number)") }
        for number in Int8.min ... .max { #expect(try text(number) == "\(number)") }
        for number in [UInt64.min, .max] { #expect(try text(number) == "\(number)") }
    }
}
