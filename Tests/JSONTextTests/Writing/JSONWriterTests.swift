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
