import HTTP2
import Testing

@Suite struct HTTP2PrefaceTests {
    @Test func `the preface is recognized when all of its bytes have arrived`() {
        let bytes = HTTP2Preface.bytes
        #expect(bytes.count == 24)
        for count in 0..<24 { #expect(recognize(Array(bytes.prefix(count))) == .undecided) }
        #expect(recognize(bytes) == .present)
        #expect(recognize(bytes + [0, 0, 0]) == .present)
    }

    @Test func `a preface with one different byte is rejected`() {
        for index in 0..<24 {
            var bytes = HTTP2Preface.bytes
            bytes[index] ^= 1
            #expect(recognize(bytes) == .absent)
            #expect(recognize(Array(bytes.prefix(index + 1))) == .absent)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n", "PUT", "PRI * HTTP/1.1", "\r\nPRI", "\u{16}\u{3}\u{1}",
    ])
    func `other protocols are recognized at their first different byte`(_ text: String) {
        #expect(recognize(Array(text.utf8)) == .absent)
    }

    private func recognize(_ bytes: [UInt8]) -> HTTP2Preface {
        bytes.withUnsafeBytes(HTTP2Preface.recognize)
    }
}
