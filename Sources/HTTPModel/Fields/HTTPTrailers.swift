/// Which fields may stand behind the content (RFC 9110 §6.5.1).
///
/// Whoever reads a message has decided on how to read it by then, so what decides on that has no place there: framing,
/// routing, conditions and other controls, credentials, and what the content is. Such fields are dropped, as a recipient may;
/// what is left stands apart from the header fields and is never merged with them.
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
        // Controls of answers.
        "age", "date", "expires", "location", "retry-after", "vary", "warning",
    ]

    /// Whether a field of that name, in lower case, may stand in a trailer section. Of those that say what the content is,
    /// only its digest may (RFC 9530 §2), which nobody knows before.
    public static func allow(_ name: String) -> Bool {
        if name.utf8.starts(with: "content-".utf8) { return name == "content-digest" }
        return !name.utf8.starts(with: "x-forwarded-".utf8) && !forbidden.contains(name)
    }
}

extension HTTPFields {
    /// As ``append(checkedName:checkedValue:)`` for a field behind the content: one that may not stand there is left out.
    public mutating func append(
        checkedTrailerName name: UnsafeRawBufferPointer, checkedValue value: UnsafeRawBufferPointer
    ) {
        guard HTTPTrailers.allow(String(decoding: name, as: UTF8.self).lowercased()) else { return }
        append(checkedName: name, checkedValue: value)
    }
}
