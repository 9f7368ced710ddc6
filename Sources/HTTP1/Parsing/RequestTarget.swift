import HTTPModel

/// The target of a request (RFC 9112 §3.2) in the form that responders receive, and the authority that it names.
struct RequestTarget {
    /// Origin-form, or `*`.
    var origin: String
    /// The host and port of an absolute-form target, which take precedence over `Host`.
    var authority: String?

    /// `/`.
    static let root = RequestTarget(origin: "/")

    private init(origin: String, authority: String? = nil) {
        self.origin = origin
        self.authority = authority
    }

    /// Parses the target of a request line.
    static func read(
        _ bytes: UnsafeRawBufferPointer, method: UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> RequestTarget {
        if method.equals("CONNECT") {
            guard HostAndPort.isValid(bytes), bytes.contains(ASCII.colon) else { throw .target }
            throw .tunnel
        }
        if bytes.first == UInt8(ascii: "/") {
            guard isOriginForm(bytes) else { throw .target }
            return RequestTarget(origin: String(decoding: bytes, as: UTF8.self))
        }
        if bytes.first == UInt8(ascii: "*") {
            guard bytes.count == 1, method.equals("OPTIONS") else { throw .target }
            return RequestTarget(origin: "*")
        }
        return try readAbsolute(bytes, method: method)
    }

    private static func readAbsolute(
        _ bytes: UnsafeRawBufferPointer, method: UnsafeRawBufferPointer
    ) throws(HTTP1Error) -> RequestTarget {
        let schemes: [StaticString] = ["http://", "https://"]
        guard
            let scheme = schemes.first(where: {
                bytes.count > $0.utf8CodeUnitCount && bytes.part(0..<$0.utf8CodeUnitCount).equalsIgnoringCase($0)
            })
        else { throw .target }
        let start = scheme.utf8CodeUnitCount
        let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.count
        let host = bytes.part(start..<end)
        let rest = bytes.part(from: end)
        guard HostAndPort.isValid(host), isOriginForm(rest) else { throw .target }
        let authority = String(decoding: host, as: UTF8.self)
        guard let first = rest.first else {
            // RFC 9112 §3.2.4: OPTIONS without a path refers to the whole server.
            return RequestTarget(origin: method.equals("OPTIONS") ? "*" : "/", authority: authority)
        }
        let path = String(decoding: rest, as: UTF8.self)
        return RequestTarget(origin: first == UInt8(ascii: "/") ? path : "/" + path, authority: authority)
    }

    /// Returns whether all characters are allowed in a path and a query, including characters that browsers do not
    /// escape there (``ByteSet/path``, ``ByteSet/query``). An escaped NUL in a path is refused: no resource has it in
    /// its name, and it terminates strings elsewhere.
    private static func isOriginForm(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // A loop for each set, so that the set is a constant: choosing between the two for each byte costs more than the
        // test itself.
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if ByteSet.path.contains(byte) || byte == UInt8(ascii: "%") && escapedByte(in: bytes, at: offset) != 0 {
                // Browsers send a percent sign that starts no escape unchanged.
                offset &+= 1
            } else if byte == UInt8(ascii: "?") {
                return isQuery(bytes, from: offset &+ 1)
            } else {
                return false
            }
        }
        return true
    }

    private static func isQuery(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var offset = start
        while offset < bytes.count {
            let byte = bytes[offset]
            guard ByteSet.query.contains(byte) || byte == UInt8(ascii: "%") && escapedByte(in: bytes, at: offset) != 0
            else {
                return false
            }
            offset &+= 1
        }
        return true
    }

    private static func escapedByte(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt8? {
        guard offset &+ 2 < bytes.count,
            let high = ASCII.hexadecimalDigit(bytes[offset &+ 1]), let low = ASCII.hexadecimalDigit(bytes[offset &+ 2])
        else { return nil }
        return high << 4 | low
    }
}

/// `uri-host [ ":" port ]` (RFC 9110 §7.2).
enum HostAndPort {
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        var end = 0
        if first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), close > 2,
                bytes[1..<close].allSatisfy(ByteSet.address.contains)
            else { return false }
            end = close + 1
        } else {
            while end < bytes.count, bytes[end] != ASCII.colon {
                guard ByteSet.host.contains(bytes[end]) || isEscape(bytes, at: end) else { return false }
                end &+= 1
            }
            guard end > 0 else { return false }
        }
        guard end < bytes.count else { return true }
        return bytes[end] == ASCII.colon && isPort(bytes.part(from: end + 1))
    }

    private static func isEscape(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        bytes[offset] == UInt8(ascii: "%") && offset + 2 < bytes.count
            && ASCII.hexadecimalDigit(bytes[offset + 1]) != nil && ASCII.hexadecimalDigit(bytes[offset + 2]) != nil
    }

    private static func isPort(_ digits: UnsafeRawBufferPointer) -> Bool {
        guard digits.count <= 5 else { return false }
        var port = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return false }
            port = port * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return port <= 65535
    }
}
