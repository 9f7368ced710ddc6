public import HTTPModel

/// A stream of one connection (RFC 9113 §5.1.1).
public struct HTTP2StreamID: RawRepresentable, Hashable, Sendable {
    /// The number in frames: odd and rising for those that clients open.
    public let rawValue: Int32

    /// A stream by its number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// What came of a client's bytes.
public enum HTTP2Event: Sendable {
    /// A request, whole. It is to be answered on its stream.
    case request(HTTP2StreamID, HTTPRequest)
    /// A request that is over a limit or asks for what is not offered. It is to be answered with its problem.
    case refusal(HTTP2StreamID, HTTP2Refusal)
    /// A malformed request. Its stream has been reset; there is nothing to answer.
    case malformed(HTTP2StreamID, HTTP2MessageError)
    /// The client wants no answer to a request that was given out before, or its answer could not be finished.
    case reset(HTTP2StreamID, HTTP2ErrorCode)
    /// The client opens no more streams and closes once those that are open have ended.
    case goAway(HTTP2ErrorCode)
}
