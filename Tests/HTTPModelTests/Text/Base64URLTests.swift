import HTTPModel
import Testing

@Suite struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA"), ([0xFF], "_w"), ([0xFB, 0xFF], "-_8"),
            ([0x14, 0xFB, 0x9C, 0x03, 0xD9, 0x7E], "FPucA9l-"),
        ] as [([UInt8], String)])
    func `bytes and their text`(bytes: [UInt8], text: String) {
        #expect(Base64URL.text(of: bytes) == text)
        #expect(Base64URL.bytes(of: text.utf8) == bytes)
    }

    @Test(arguments: ["A", "AA==", "AA=", "A A", "AA\n", "+w", "/w", "AB", "_x", "-_9", "AAAAA", "é", "A.A"])
    func `padding, white space, other digits and unused bits are rejected`(text: String) {
        #expect(Base64URL.bytes(of: text.utf8) == nil)
    }

    @Test func `bytes of all lengths survive their text`() {
        for count in 0..<10 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 77 + 200) }
            #expect(Base64URL.bytes(of: Base64URL.text(of: bytes).utf8) == bytes)
        }
    }

    @Test func `every byte sequence has one spelling`() {
        for last in 0..<64 {
            let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            let text = [UInt8(ascii: "A"), digits[last]]
            let bytes = Base64URL.bytes(of: text)
            #expect((bytes != nil) == (last % 16 == 0))
        }
    }
}
