import HTTPModel

/// The header of the PROXY protocol, version 1 or 2, with which a proxy describes the connection that it relays, before
/// any other byte (haproxy.org/download/3.0/doc/proxy-protocol.txt).
enum ProxyHeader: Equatable {
    /// The connection is the proxy's own, such as a health check.
    case own
    /// The proxy relays the connection of a client whose address it does not state.
    case unknown
    /// The client whose connection the proxy relays.
    case client(address: String, port: UInt16)

    /// The result of parsing the first bytes of a connection.
    enum Reading: Equatable {
        /// The beginning of a header, or no bytes at all.
        case unfinished
        /// A complete header and its length in bytes.
        case whole(ProxyHeader, count: Int)
        /// Not a header, or an invalid one.
        case broken
    }

    /// The maximum length of a header. A longer one, with more metadata than any proxy needs to send, is invalid.
    static let maxLength = 16 + 2048

    static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        if starts(bytes, with: signature) { return readBinary(bytes) }
        if starts(bytes, with: word) { return readText(bytes) }
        return .broken
    }

    /// Returns whether the bytes begin with `beginning`, or are the start of it.
    private static func starts(_ bytes: UnsafeRawBufferPointer, with beginning: [UInt8]) -> Bool {
        bytes.prefix(beginning.count).elementsEqual(beginning.prefix(bytes.count))
    }
}

// Version 1: a line of text.
extension ProxyHeader {
    private static let word = Array("PROXY ".utf8)
    /// Includes the line end.
    private static let maxLineLength = 107

    private static func readText(_ bytes: UnsafeRawBufferPointer) -> Reading {
        guard let end = bytes.prefix(maxLineLength).firstIndex(of: UInt8(ascii: "\n")) else {
            return bytes.count < maxLineLength ? .unfinished : .broken
        }
        guard end > word.count, bytes[end - 1] == UInt8(ascii: "\r"), bytes[..<end].allSatisfy({ $0 < 0x80 }) else {
            return .broken
        }
        let line = String(decoding: bytes[..<(end - 1)], as: UTF8.self)
        guard let header = header(of: line) else { return .broken }
        return .whole(header, count: end + 1)
    }

    private static func header(of line: String) -> ProxyHeader? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        if parts.count >= 2, parts[1] == "UNKNOWN" { return .unknown }
        guard parts.count == 6, parts[1] == "TCP4" || parts[1] == "TCP6" else { return nil }
        guard let client = NumericAddress(String(parts[2])), let server = NumericAddress(String(parts[3])),
            let port = number(parts[4]), number(parts[5]) != nil
        else { return nil }
        let isVersion4 = parts[1] == "TCP4"
        guard !isVersion4 || client.isVersion4 && server.isVersion4 else { return nil }
        // The address parser accepts both families, but TCP6 promises IPv6.
        guard isVersion4 || parts[2].contains(":") && parts[3].contains(":") else { return nil }
        return .client(address: client.text, port: port)
    }

    private static func number(_ digits: Substring) -> UInt16? {
        guard let first = digits.utf8.first, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            // The specification does not allow leading zeros, and a lenient parser could disagree with another one.
            first != 0x30 || digits.utf8.count == 1
        else { return nil }
        return UInt16(digits)
    }
}

// Version 2: binary.
extension ProxyHeader {
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
    private static let fixedCount = 16

    private static func readBinary(_ bytes: UnsafeRawBufferPointer) -> Reading {
        guard bytes.count >= fixedCount else { return .unfinished }
        let (command, family) = (bytes[12], bytes[13])
        let count = fixedCount + Int(bytes[14]) << 8 + Int(bytes[15])
        guard command == 0x20 || command == 0x21, count <= maxLength else { return .broken }
        guard bytes.count >= count else { return .unfinished }
        // LOCAL: the specification says to ignore the rest of the header.
        guard command == 0x21 else { return .whole(.own, count: count) }
        switch family {
        case 0x11: return client(bytes, addressCount: 4, count: count)
        case 0x21: return client(bytes, addressCount: 16, count: count)
        // Unspecified, datagrams and Unix sockets: there is no address.
        case 0x00, 0x12, 0x22, 0x31, 0x32: return .whole(.unknown, count: count)
        default: return .broken
        }
    }

    /// Layout: the client's address, the server's address, the client's port, the server's port. Metadata follows and
    /// is ignored.
    private static func client(_ bytes: UnsafeRawBufferPointer, addressCount: Int, count: Int) -> Reading {
        guard count >= fixedCount + 2 * addressCount + 4 else { return .broken }
        var bits: UInt128 = addressCount == 4 ? 0xFFFF : 0
        for byte in bytes[fixedCount..<(fixedCount + addressCount)] { bits = bits << 8 | UInt128(byte) }
        let place = fixedCount + 2 * addressCount
        let port = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
        return .whole(.client(address: NumericAddress(bits: bits).text, port: port), count: count)
    }
}
