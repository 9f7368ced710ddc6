public import HTTPModel

/// An error in the bytes of a client (RFC 9112). The connection cannot continue after any of them: the start of the
/// next request is unknown or cannot be trusted.
public enum HTTP1Error: Error, Hashable, CaseIterable, Sendable {
    /// A line that does not end in CR LF, or a CR in the middle of a line (§2.2).
    case lineEnd
    /// A request line that is not method, space, target, space, version (§3).
    case requestLine
    /// A method that is longer than any known one.
    case methodTooLong
    /// `CONNECT`, which is not supported.
    case tunnel
    /// A target that is not a URI, or has a form that the method does not allow (§3.2).
    case target
    /// A target that exceeds the limit.
    case targetTooLong
    /// An unsupported version of HTTP (§2.5).
    case version
    /// A field line without a colon, with white space before the colon, folded, or with a name that is not a token
    /// (§5).
    case fieldLine
    /// A control character in a field value.
    case fieldValue
    /// A head that exceeds the limit in bytes.
    case headTooLarge
    /// More fields than the limit allows.
    case tooManyFields
    /// No `Host` field in HTTP/1.1 (§3.2).
    case hostMissing
    /// More than one `Host` field.
    case hostRepeated
    /// A `Host` that is not a host and port.
    case hostInvalid
    /// A `Content-Length` that is not a decimal number, or more than one of them (§6.3).
    case contentLength
    /// `Transfer-Encoding` together with `Content-Length`, a sign of request smuggling (§6.1).
    case lengthBesideCoding
    /// `Transfer-Encoding` in HTTP/1.0, one that is not a list of codings, or one whose final coding is not `chunked`
    /// (§6.3).
    case transferCoding
    /// A transfer coding other than `chunked` before a final `chunked` (§6.1).
    case transferCodingUnknown
    /// An expectation other than `100-continue` (RFC 9110 §10.1.1).
    case expectation
    /// A chunk whose size line is invalid or exceeds the limit (§7.1).
    case chunkSize
    /// A chunk extension that does not follow the grammar (§7.1.1).
    case chunkExtension
    /// A chunk whose data is longer than its size.
    case chunkEnd
    /// Trailer fields that exceed the limit.
    case trailersTooLarge
    /// A body that exceeds the limit.
    case bodyTooLarge
}

extension HTTP1Error {
    /// The status of the response.
    public var status: HTTPStatus {
        switch self {
        case .lineEnd, .requestLine, .target, .fieldLine, .fieldValue, .hostMissing, .hostRepeated, .hostInvalid,
            .contentLength, .lengthBesideCoding, .transferCoding, .chunkSize, .chunkExtension, .chunkEnd:
            .badRequest
        case .methodTooLong, .tunnel, .transferCodingUnknown: .notImplemented
        case .targetTooLong: .uriTooLong
        case .version: .versionNotSupported
        case .headTooLarge, .tooManyFields, .trailersTooLarge: .headerFieldsTooLarge
        case .expectation: .expectationFailed
        case .bodyTooLarge: .contentTooLarge
        }
    }

    /// The content of the response.
    public var problem: ProblemDetails {
        let (kind, title) = naming
        return ProblemDetails(status: status, kind: kind, title: title, detail: detail)
    }

    private var naming: (kind: String, title: String) {
        switch status {
        case .notImplemented: ("not-implemented", "The request needs something that this server does not have")
        case .uriTooLong: ("target-too-long", "The request's target is too long")
        case .versionNotSupported: ("unsupported-version", "This version of HTTP is not spoken here")
        case .headerFieldsTooLarge: ("head-too-large", "The request's head is too large")
        case .expectationFailed: ("unknown-expectation", "The request expects something that is not known here")
        case .contentTooLarge: ("body-too-large", "The request's body is too large")
        default: ("malformed-request", "The request cannot be read")
        }
    }

    private var detail: String {
        switch self {
        case .lineEnd: "Every line of a request ends in CR LF, and neither stands anywhere else."
        case .requestLine: "A request starts with a method, which is a token, a space, a target, a space and a version."
        case .methodTooLong: "The method is longer than any that is known here."
        case .tunnel: "CONNECT asks for a tunnel, and there are none here."
        case .target:
            "The target is a path, a URI, or * for OPTIONS, with white space, control characters, non-ASCII characters and "
                + "\"#<> percent-encoded, and \\`{} too in a path."
        case .targetTooLong: "The target is over the configured limit."
        case .version: "A request line names HTTP/1.0 or HTTP/1.1; later minor versions are served as HTTP/1.1."
        case .fieldLine: "A header field is a name, a colon right behind it, and a value, on one line."
        case .fieldValue: "A header field's value has no control characters."
        case .headTooLarge: "The head is over the configured limit."
        case .tooManyFields: "There are more header fields than the configured limit."
        case .hostMissing: "A request of HTTP/1.1 has a Host field."
        case .hostRepeated: "A request has one Host field."
        case .hostInvalid: "Host is a host, and a colon and a port where it is not the default one."
        case .contentLength: "Content-Length is one decimal number."
        case .lengthBesideCoding: "A request has Content-Length or Transfer-Encoding, never both."
        case .transferCoding: "The final transfer coding of a request is chunked, applied once, and only in HTTP/1.1."
        case .transferCodingUnknown: "The only supported transfer coding is chunked."
        case .expectation: "The only expectation known here is 100-continue."
        case .chunkSize: "A chunk starts with its size in hexadecimal digits on a line of its own."
        case .chunkExtension:
            "A chunk extension is a semicolon, a token and optionally an equals sign and a token or quoted string."
        case .chunkEnd: "A chunk ends in CR LF after as many bytes as it said."
        case .trailersTooLarge: "The trailer fields are over the configured limit."
        case .bodyTooLarge: "The body is over the configured limit."
        }
    }
}
