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
        case .notImplemented: ("not-implemented", "Not implemented")
        case .uriTooLong: ("target-too-long", "Target too long")
        case .versionNotSupported: ("unsupported-version", "Unsupported version")
        case .headerFieldsTooLarge: ("head-too-large", "Head too large")
        case .expectationFailed: ("unknown-expectation", "Unknown expectation")
        case .contentTooLarge: ("body-too-large", "Body too large")
        default: ("malformed-request", "Malformed request")
        }
    }

    private var detail: String {
        switch self {
        case .lineEnd: "Expected every line to end with CR LF, got a CR or LF in another place."
        case .requestLine: "Expected a request line: a method (a token), a space, a target, a space and a version."
        case .methodTooLong: "The method is longer than any known method."
        case .tunnel: "CONNECT requests a tunnel, which is not supported."
        case .target:
            "Expected a path, a URI, or * for OPTIONS, in which white space, control characters, non-ASCII characters and "
                + "\"#<> are percent-encoded, and in a path \\`{} as well."
        case .targetTooLong: "The target exceeds the configured limit."
        case .version: "Expected HTTP/1.0 or HTTP/1.1; later minor versions are served as HTTP/1.1."
        case .fieldLine: "Expected each header field on one line: a name, immediately followed by a colon, and a value."
        case .fieldValue: "Expected a header field value without control characters."
        case .headTooLarge: "The head exceeds the configured limit."
        case .tooManyFields: "The number of header fields exceeds the configured limit."
        case .hostMissing: "Expected a Host field in an HTTP/1.1 request, got none."
        case .hostRepeated: "Expected one Host field, got several."
        case .hostInvalid: "Expected a host in the Host field, optionally followed by a colon and a port."
        case .contentLength: "Expected a single decimal number as Content-Length."
        case .lengthBesideCoding: "Expected Content-Length or Transfer-Encoding, got both."
        case .transferCoding: "Expected chunked as the final transfer coding, applied once, in an HTTP/1.1 request."
        case .transferCodingUnknown: "The only supported transfer coding is chunked."
        case .expectation: "The only supported expectation is 100-continue."
        case .chunkSize: "Expected a chunk to begin with its size in hexadecimal digits on a separate line."
        case .chunkExtension:
            "Expected a chunk extension: a semicolon, a token, and optionally = and a token or quoted string."
        case .chunkEnd: "Expected CR LF after the data of a chunk."
        case .trailersTooLarge: "The trailer fields exceed the configured limit."
        case .bodyTooLarge: "The body exceeds the configured limit."
        }
    }
}
