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
            guard TargetSyntax.isHostAndPort(bytes), bytes.contains(ASCII.colon) else { throw .target }
            throw .tunnel
        }
        if bytes.first == UInt8(ascii: "/") {
            guard TargetSyntax.isPathAndQuery(bytes) else { throw .target }
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
        guard TargetSyntax.isHostAndPort(host), TargetSyntax.isPathAndQuery(rest) else { throw .target }
        let authority = String(decoding: host, as: UTF8.self)
        guard let first = rest.first else {
            // RFC 9112 §3.2.4: OPTIONS without a path refers to the whole server.
            return RequestTarget(origin: method.equals("OPTIONS") ? "*" : "/", authority: authority)
        }
        let path = String(decoding: rest, as: UTF8.self)
        return RequestTarget(origin: first == UInt8(ascii: "/") ? path : "/" + path, authority: authority)
    }
}
