import Testing

@testable import HTTPServer

@Suite struct ProxyHeaderTests {
    private func read(_ bytes: [UInt8]) -> ProxyHeader.Reading { bytes.withUnsafeBytes(ProxyHeader.read) }

    private func read(_ text: String) -> ProxyHeader.Reading { read(Array(text.utf8)) }

    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    /// Returns a binary header with a command, an address family and the bytes after its length.
    private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    private static let version4 = binary(0x21, 0x11, [192, 0, 2, 7, 198, 51, 100, 1, 0xC0, 0x01, 0, 80])
    private static let version6 = binary(
        0x21, 0x21,
        [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] + Array(repeating: 0, count: 15) + [
            1, 0, 7, 1, 187,
        ])

    @Test(
        arguments: [
            ("PROXY TCP4 192.0.2.7 198.51.100.1 49153 80\r\n", "192.0.2.7", 49153),
            ("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n", "255.255.255.255", 65535),
            ("PROXY TCP6 2001:db8::7 ::1 7 443\r\n", "2001:db8::7", 7),
            ("PROXY TCP6 ::ffff:192.0.2.7 ::1 0 0\r\n", "192.0.2.7", 0),
        ] as [(String, String, UInt16)])
    func `a text header names the client`(_ line: String, _ address: String, _ port: UInt16) {
        let whole = ProxyHeader.Reading.whole(.client(address: address, port: port), count: line.utf8.count)
        #expect(read(line) == whole)
        #expect(read(line + "GET / HTTP/1.1\r\n") == whole)
        for count in 0..<line.utf8.count { #expect(read(Array(line.utf8.prefix(count))) == .unfinished, "\(count)") }
    }

    @Test(arguments: ["PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff:f...f:ffff 65535 65535\r\n"])
    func `a text header without an address refers to an unknown client`(_ line: String) {
        #expect(read(line) == .whole(.unknown, count: line.utf8.count))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "PROXY\r\n", "proxy TCP4 192.0.2.7 198.51.100.1 1 80\r\n",
        "PROXY  TCP4 192.0.2.7 192.0.2.8 1 2\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 80\n", "PROXY TCP4 192.0.2.7 198.51.100.1 1\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 80 \r\n", "PROXY TCP4 192.0.2.7 198.51.100.1 01 80\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 +1 80\r\n", "PROXY TCP4 192.0.2.7 198.51.100.1 65536 80\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 x\r\n", "PROXY TCP4 ::1 ::1 1 80\r\n",
        "PROXY TCP6 192.0.2.7 192.0.2.8 1 80\r\n",
        "PROXY TCP4 host 198.51.100.1 1 80\r\n", "PROXY UDP4 192.0.2.7 198.51.100.1 1 80\r\n",
        "PROXY TCP4 192.0.2.7\0 198.51.100.1 1 80\r\n", "PROXY TCP4 192.0.2.\u{667} 198.51.100.1 1 80\r\n",
        "PROXY TCP4 \(String(repeating: "1", count: 200))",
    ])
    func `a malformed text header is rejected`(_ line: String) {
        #expect(read(line) == .broken)
    }

    @Test func `a binary header names the client`() {
        let cases = [
            (Self.version4, "192.0.2.7", 49153), (Self.version6, "2001:db8::7", 7),
            (Self.binary(0x21, 0x11, Self.version4.dropFirst(16) + [3, 0, 4, 1, 2, 3, 4]), "192.0.2.7", 49153),
        ]
        for (bytes, address, port) in cases {
            let whole = ProxyHeader.Reading.whole(
                .client(address: address, port: UInt16(port)), count: bytes.count)
            #expect(read(bytes) == whole)
            #expect(read(bytes + Array("GET".utf8)) == whole)
            for count in 0..<bytes.count { #expect(read(Array(bytes.prefix(count))) == .unfinished, "\(count)") }
        }
    }

    @Test(arguments: [binary(0x20, 0x00, []), binary(0x20, 0x11, [1, 2, 3])])
    func `a binary header of a local connection refers to the proxy`(_ bytes: [UInt8]) {
        #expect(read(bytes) == .whole(.own, count: bytes.count))
    }

    @Test(arguments: [
        binary(0x21, 0x00, [1, 2, 3]), binary(0x21, 0x31, Array(repeating: 0, count: 216)),
        binary(0x21, 0x12, Array(repeating: 0, count: 12)),
    ])
    func `a binary header without an address refers to an unknown client`(_ bytes: [UInt8]) {
        #expect(read(bytes) == .whole(.unknown, count: bytes.count))
    }

    @Test(arguments: [
        binary(0x11, 0x11, Array(repeating: 0, count: 12)), binary(0x22, 0x11, Array(repeating: 0, count: 12)),
        binary(0x21, 0x11, Array(repeating: 0, count: 11)), binary(0x21, 0x21, Array(repeating: 0, count: 35)),
        binary(0x21, 0x13, Array(repeating: 0, count: 12)), binary(0x21, 0x41, Array(repeating: 0, count: 12)),
        binary(0x21, 0x11, Array(repeating: 0, count: 2049)), signature.dropLast() + [0],
    ])
    func `a malformed binary header is rejected`(_ bytes: [UInt8]) {
        #expect(read(bytes) == .broken)
    }
}
