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
}
