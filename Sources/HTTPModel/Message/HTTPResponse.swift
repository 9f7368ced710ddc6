/// One answer. The server adds framing (`Content-Length`, `Transfer-Encoding`), `Date` and connection fields
/// itself and leaves out the content where the method or the status forbids it.
public struct HTTPResponse {
    /// What came of the request.
    public var status: HTTPStatus
    /// The header fields.
    public var fields: HTTPFields
    /// The content.
    public var body: HTTPResponseBody

    /// An answer from its parts.
    public init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: HTTPResponseBody = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The content of an answer.
public enum HTTPResponseBody {
    /// None.
    case empty
    /// All of it, known now.
    case bytes([UInt8])
    /// A part at a time, pulled by the server whenever the peer takes more.
    case stream(any HTTPBodyStream)

    /// The content where all of it is known now; `nil` for the other cases.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}
