public import HTTPModel

/// The identifier of a stream (RFC 9113 §5.1.1).
public struct HTTP2StreamID: RawRepresentable, Hashable, Sendable {
    /// The number in frames: odd and increasing for streams that clients open.
    public let rawValue: Int32

    /// Creates an identifier from its number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// An event that results from a client's bytes.
public enum HTTP2Event: Sendable {
    /// A complete request, which needs a response on its stream.
    case request(HTTP2StreamID, HTTPRequest)
    /// A request that exceeds a limit or needs an unsupported feature. The response must be its problem. The fields are those before
    /// the fault, and `Origin`.
    case refusal(HTTP2StreamID, HTTP2Refusal, HTTPFields)
    /// A malformed request. Its stream has been reset, so it needs no response.
    case malformed(HTTP2StreamID, HTTP2MessageError)
    /// The client has cancelled a request that the owner has received, or its response could not be completed.
    case reset(HTTP2StreamID, HTTP2ErrorCode)
    /// The client opens no more streams and closes the connection when the open ones have ended.
    case goAway(HTTP2ErrorCode)
}
