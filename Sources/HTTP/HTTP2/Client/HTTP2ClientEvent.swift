public import HTTPModel

/// An event that results from a server's bytes.
public enum HTTP2ClientEvent {
    /// The response to a request. Its body is `stream` if it is incomplete.
    case response(HTTP2StreamID, HTTPResponse)
    /// A request has no complete response. If its response was received before, the body does not finish: it returns
    /// ``HTTPBodyProgress/waiting`` forever.
    case failed(HTTP2StreamID, HTTP2RequestFailure)
    /// The server accepts no more requests on this connection. Those that it has not processed fail separately.
    case goAway(HTTP2ErrorCode)
}
