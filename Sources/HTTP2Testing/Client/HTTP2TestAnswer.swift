public import HTTPModel

/// What has come of one request so far, as a client of HTTP/2 sees it.
public struct HTTP2TestAnswer: Sendable {
    /// The status; `nil` as long as no head has come.
    public internal(set) var status: Int?
    /// Statuses that came before the answer's own, such as 100.
    public internal(set) var interim: [Int] = []
    /// The fields of the head.
    public internal(set) var fields = HTTPFields()
    /// The content that has come.
    public internal(set) var body: [UInt8] = []
    /// The fields that came behind the content.
    public internal(set) var trailers = HTTPFields()
    /// Whether the server has ended the stream in the regular way.
    public internal(set) var isWhole = false
    /// The code with which the stream was reset, by whichever side; `nil` where it was not.
    public internal(set) var resetCode: UInt32?
    /// Whether nothing more will come.
    public internal(set) var isClosed = false

    /// Whether the fields that come now are trailers.
    var isInTrailers = false

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
