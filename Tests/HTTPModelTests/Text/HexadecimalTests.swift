import HTTPModel
import Testing

@Suite struct HexadecimalTests {
    @Test func `bytes and their digits`() {
        let bytes: [UInt8] = [0, 9, 0x0A, 0x7F, 0xFF]
        #expect(Hexadecimal.text(of: bytes) == "00090a7fff")
        #expect(Hexadecimal.bytes(of: "00090a7fff".utf8) == bytes)
        #expect(Hexadecimal.bytes(of: "00090A7FFF".utf8) == bytes)
    }

    @Test(arguments: ["0", "000", "0g", " 0", "0x", "é"])
    func `an odd number of digits and other characters are rejected`(text: String) {
        #expect(Hexadecimal.bytes(of: text.utf8) == nil)
    }
}
