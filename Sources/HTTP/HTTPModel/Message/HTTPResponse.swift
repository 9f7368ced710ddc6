/// A response. The server adds framing (`Content-Length`, `Transfer-Encoding`), `Date` and connection fields, and omits
/// the content if the method or the status forbids it.
public struct HTTPResponse {
    /// The status.
    public var status: HTTPStatus
    /// The header fields.
    public var fields: HTTPFields
    /// The content.
    public var body: HTTPResponseBody

    /// Creates a response from its parts.
    public init(status: HTTPStatus, fields: HTTPFields = HTTPFields(), body: HTTPResponseBody = .empty) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// The content of a response.
public enum HTTPResponseBody {
    /// No content.
    case empty
    /// Complete content.
    case bytes([UInt8])
    /// Content that is produced in parts, read by the server when the peer accepts more.
    case stream(any HTTPBodyStream)

    /// The content if it is complete, otherwise `nil`.
    public var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}
