/// One request, whole: the server has checked its framing, its `Host` and its limits, and has read its body.
public struct HTTPRequest: Sendable {
    /// What is to be done.
    public var method: HTTPMethod
    /// What it is to be done with, in origin-form (RFC 9112 §3.2.1): the path and, behind `?`, the query, as sent
    /// (still percent-encoded). `*` for a request about the server.
    public var target: String
    /// `http` or `https`.
    public var scheme: String
    /// The host and port that the client named, as sent; empty where HTTP/1.0 named none.
    public var authority: String
    /// The header fields, names in lower case.
    public var fields: HTTPFields
    /// The content, with transfer coding undone; empty where there is none.
    public var body: [UInt8]
    /// The fields that came behind the content, those that may not stand there left out (``HTTPTrailers``). Whatever their
    /// names are, they say nothing about how the request was to be read, and are never merged with ``fields``.
    public var trailers: HTTPFields
    /// Who asks.
    public var peer: HTTPPeer

    /// A request from its parts.
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

    /// The target's path, percent-encoded as sent.
    public var path: Substring {
        queryStart.map { target[..<$0] } ?? target[...]
    }

    /// The target's query without its `?`, percent-encoded as sent; `nil` where there is none.
    public var query: Substring? {
        queryStart.map { target[target.utf8.index(after: $0)...] }
    }

    /// Looked for among bytes: comparing characters would take a hundred times as long, with every request.
    private var queryStart: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }

    /// The first value of a query parameter, decoded (`+` is a space); `nil` if it is not there or its
    /// percent-encoding is broken.
    public func queryValue(_ name: String) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard PercentEncoding.decode(parts[0], plusIsSpace: true) == name else { continue }
            return parts.count == 2 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : ""
        }
        return nil
    }
}

extension HTTPPeer {
    /// A peer that nothing is known of, as in tests.
    public static let unknown = HTTPPeer(address: "unknown", port: 0)
}
