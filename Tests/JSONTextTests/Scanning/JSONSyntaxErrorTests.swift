import Testing

@testable import JSONText

struct JSONSyntaxErrorTests {
    @Test(
        arguments: [
            ([0x78], "'x'"), ([], "the end of the text"), ([0x0A], "the end of the line"), ([0xC3, 0xA4], "'ä'"),
            ([0x01], "the byte 0x01"), ([0xFF], "the byte 0xFF"), ([0xC3, 0x28], "the byte 0xC3"),
            ([0x7F], "the byte 0x7F"),
            ([0xC2, 0x9B], "the byte 0xC2"), ([0xE2, 0x80, 0xAE], "the byte 0xE2"),
        ] as [([UInt8], String)])
    func `the text at the offset is described without control characters`(bytes: [UInt8], description: String) {
        #expect(JSONSyntaxError(offset: 1, expected: "").found(in: [0x20] + bytes) == description)
    }

    @Test func `lines and columns are counted in characters`() {
        let bytes = Array("a\näb".utf8)
        #expect(JSONSyntaxError(offset: 4, expected: "").place(in: bytes) == (2, 2))
    }
}
