/// A complete request. The server has checked its framing, its host and its limits, and has received its body.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The target in origin-form (RFC 9112 §3.2.1): the path and optionally `?` and the query, percent-encoded as sent.
    /// `*` for a request about the server.
    public var target: String
    /// `http` or `https`.
    public var scheme: String
    /// The host and port as sent; empty if an HTTP/1.0 client sent none.
    public var authority: String
    /// The header fields, with names in lower case.
    public var fields: HTTPFields
    /// The content without transfer coding; empty if none exists.
    public var body: [UInt8]
    /// The trailer fields, without those that are not allowed there (``HTTPTrailers``). They do not affect how the
    /// request was parsed and are never merged with ``fields``.
    public var trailers: HTTPFields
    /// The peer that sent the request.
    public var peer: HTTPPeer
    /// The span of the request, which the server sets if it samples the request; nil otherwise. Never taken from ``fields`` without a
    /// decision to sample.
    public var trace: TraceContext?

    /// Creates a request from its parts.
    public init(
        method: HTTPMethod, target: String, scheme: String = "http", authority: String = "localhost",
        fields: HTTPFields = HTTPFields(), body: [UInt8] = [], trailers: HTTPFields = HTTPFields(),
        peer: HTTPPeer = .unknown
    ) {
        self.method = method
        self.target = target
        self.scheme = scheme
        self.authority = authority
        self.fields = fields
        self.body = body
        self.trailers = trailers
        self.peer = peer
    }

    /// The path of the target, percent-encoded as sent.
    public var path: Substring {
        queryStart.map { target[..<$0] } ?? target[...]
    }

    // `String.UTF8View.starts(with:)` takes ten times as long, and the paths of all requests are compared.
    package func targetStarts(with text: StaticString) -> Bool {
        var target = target
        return target.withUTF8 { UnsafeRawBufferPointer($0).starts(with: text) }
    }

    /// The query of the target without `?`, percent-encoded as sent, or `nil` if none exists.
    public var query: Substring? {
        queryStart.map { target[target.utf8.index(after: $0)...] }
    }

    // Searches bytes: comparing characters would take a hundred times as long, for every request.
    private var queryStart: String.Index? {
        var target = target
        let offset = target.withUTF8 { UnsafeRawBufferPointer($0).firstOffset(of: UInt8(ascii: "?")) }
        return offset.map { self.target.utf8.index(self.target.startIndex, offsetBy: $0) }
    }

    /// Returns the first decoded value of a query parameter (`+` means space), or `nil` if it is missing or its
    /// percent-encoding is invalid.
    public func queryValue(_ name: String) -> String? { queryValues(name).first ?? nil }

    /// Returns the decoded values of a query parameter, in order; `nil` for one whose percent-encoding is invalid.
    package func queryValues(_ name: String) -> [String?] {
        (query ?? "").split(separator: "&").compactMap { pair -> String?? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentEncoding.decode(parts[0], plusIsSpace: true) == name else { return nil }
            return .some(parts.count == 2 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : "")
        }
    }
}

extension HTTPPeer {
    /// A peer without known properties, for tests.
    public static let unknown = HTTPPeer(address: "unknown", port: 0)
}
