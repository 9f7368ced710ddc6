package import Foundation

/// A request, and the limits of its response.
package struct TransferRequest: Sendable {
    /// The method, such as `POST`.
    package var method: String
    /// The URL, with the scheme `http` or `https`.
    package var url: URL
    /// The names and values of the header fields.
    package var fields: [(name: String, value: String)]
    /// The content; nil if none exists.
    package var body: [UInt8]?
    /// The longest time without data of the response; nil for no limit.
    package var idleTimeout: Duration?
    /// The longest time until the end of the response, including redirects; nil for no limit.
    package var totalTimeout: Duration?
    /// The largest content of the response, in bytes after decompression.
    package var maxBytes: Int
    /// Whether a GET or HEAD request is sent again, with the same fields, to the URL of a redirect. Otherwise, the redirect itself is
    /// the response, as it is after ``TransferClient/maxRedirects`` redirects.
    package var followsRedirect: @Sendable (URL) -> Bool

    /// Creates a request without limits that follows no redirects.
    package init(
        _ url: URL, method: String = "GET", fields: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        idleTimeout: Duration? = nil, totalTimeout: Duration? = nil, maxBytes: Int = .max,
        followsRedirect: @escaping @Sendable (URL) -> Bool = { _ in false }
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.maxBytes = maxBytes
        self.followsRedirect = followsRedirect
    }

    /// Returns why the request cannot be sent; nil if it can.
    var problem: TransferFailure? {
        guard url.isOnTheWeb else { return .invalidRequest("expected an http or https URL with a host") }
        for name in [method] + fields.map(\.name) where name.isEmpty || !name.utf8.allSatisfy(Self.isTokenByte) {
            return .invalidRequest("expected a token (RFC 9110 §5.6.2) as a method or the name of a field")
        }
        for field in fields where field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            return .invalidRequest("expected a value of \(field.name) without control characters")
        }
        return nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension URL {
    /// Whether the URL has a host that is reached by HTTP.
    var isOnTheWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) && host()?.isEmpty == false }
}
