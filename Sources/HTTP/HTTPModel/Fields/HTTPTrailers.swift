/// The fields that are allowed in trailers (RFC 9110 §6.5.1).
///
/// A recipient decides how to process a message before it sees the trailers. Fields that affect this decision are
/// therefore not allowed: framing, routing, conditions and other controls, credentials, and descriptions of the
/// content. Such fields are dropped, as the RFC permits. The others are kept separate from the header fields.
public enum HTTPTrailers {
    private static let forbidden: Set<String> = [
        // Framing and the connection.
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        // Routing.
        "forwarded", "host", "max-forwards", "via",
        // Controls and conditions of requests.
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "expect", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma", "range",
        // Credentials.
        "authorization", "cookie", "proxy-authenticate", "proxy-authorization", "set-cookie", "www-authenticate",
        // Controls of responses.
        "age", "date", "expires", "location", "retry-after", "vary", "warning",
    ]

    /// Returns whether a field with the given lower-case name is allowed in trailers. Of the fields that describe the
    /// content, only its digest is (RFC 9530 §2), which is not known before the content.
    public static func allow(_ name: String) -> Bool {
        if name.utf8.starts(with: "content-".utf8) { return name == "content-digest" }
        return !name.utf8.starts(with: "x-forwarded-".utf8) && !forbidden.contains(name)
    }
}

extension HTTPFields {
    /// Appends a trailer field like ``append(checkedName:checkedValue:)``, or drops it if it is not allowed in
    /// trailers.
    public mutating func append(
        checkedTrailerName name: UnsafeRawBufferPointer, checkedValue value: UnsafeRawBufferPointer
    ) {
        guard HTTPTrailers.allow(String(decoding: name, as: UTF8.self).lowercased()) else { return }
        append(checkedName: name, checkedValue: value)
    }
}
