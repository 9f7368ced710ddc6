import HTTPModel
import Testing

@Suite struct HexadecimalTests {
    @Test func `bytes and their digits`() {
        let bytes: [UInt8] = [0, 9, 0x0A, 0x7F, 0xFF]
        #expect(Hexadecimal.text(of: bytes) == "00090a7fff")
        #expect(Hexadecimal.bytes(of: "00090a7fff".utf8) == bytes)
        #expect(Hexadecimal.bytes(of: "00090A7FFF".utf8) == bytes)
    }

    @Test(arguments: [
        (0, "0000000000000000"), (0x0123_4567_89AB_CDEF, "0123456789abcdef"), (0xF9A0, "000000000000f9a0"),
        (.max, "ffffffffffffffff"),
    ])
    func `numbers and their digits`(number: UInt64, digits: String) {
        #expect(Hexadecimal.text(of: number) == digits)
        #expect(Hexadecimal.text(of: UInt32(truncatingIfNeeded: number)) == digits.suffix(8))
        var bytes = Array("x".utf8)
        Hexadecimal.append(number, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "x\(digits)")
    }

    @Test(arguments: ["0", "000", "0g", " 0", "0x", "é"])
    func `an odd number of digits and other characters are rejected`(text: String) {
        #expect(Hexadecimal.bytes(of: text.utf8) == nil)
    }
}
