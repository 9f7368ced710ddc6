public import HTTPModel

/// The state of one request as an HTTP/2 client sees it.
public struct HTTP2TestAnswer: Sendable {
    /// The status, or `nil` before the head has arrived.
    public internal(set) var status: Int?
    /// The statuses of interim responses, such as 100.
    public internal(set) var interim: [Int] = []
    /// The fields of the head.
    public internal(set) var fields = HTTPFields()
    /// The content that has arrived.
    public internal(set) var body: [UInt8] = []
    /// The trailer fields.
    public internal(set) var trailers = HTTPFields()
    /// Whether the server has ended the stream regularly.
    public internal(set) var isWhole = false
    /// The error code with which either side has reset the stream, or `nil`.
    public internal(set) var resetCode: UInt32?
    /// Whether the stream is closed.
    public internal(set) var isClosed = false

    /// Whether the current header block is a trailer section.
    var isInTrailers = false

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
