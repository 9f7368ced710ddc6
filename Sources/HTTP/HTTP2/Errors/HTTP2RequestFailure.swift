/// The reason why a client has no complete response to a request.
public enum HTTP2RequestFailure: Hashable, Sendable {
    /// The server has not processed the request: it was not sent, it came after the last stream that a `GOAWAY` frame
    /// accepts, or the server refused its stream (`REFUSED_STREAM`).
    case unprocessed
    /// The server has reset the stream.
    case reset(HTTP2ErrorCode)
    /// The response is malformed.
    case malformed(HTTP2MessageError)
    /// The fields of the response exceed ``HTTP2Limits/headBytes`` or ``HTTP2Limits/fieldCount``.
    case headTooLarge
    /// ``HTTP2ClientLimits/interimResponses`` was exceeded.
    case interimResponses
    /// A frame violated the protocol, with the error code that was sent.
    case protocolViolation(HTTP2ErrorCode)
    /// The connection ended. ``HTTP2Endpoint/ending`` has the reason, if the client ended it.
    case connectionEnded
}

extension HTTP2RequestFailure {
    /// Whether the request may be sent again, whatever its method, because the server has certainly not processed it
    /// (RFC 9113 §8.7).
    public var isSafeToRetry: Bool { self == .unprocessed }
}

extension HTTP2RequestFailure: CustomStringConvertible {
    /// What was expected and received, for the log.
    public var description: String {
        switch self {
        case .unprocessed: "expected a response, but the server has not processed the request"
        case .reset(let code):
            "expected a complete response, but the server has reset the stream (code \(code.rawValue))"
        case .malformed(let error): "expected a valid response, got a malformed one (\(error))"
        case .headTooLarge: "expected a response head within the limits, got a larger one"
        case .interimResponses: "expected a final response, got too many interim ones"
        case .protocolViolation(let code):
            "expected valid frames, got one that violates the protocol (code \(code.rawValue))"
        case .connectionEnded: "expected a complete response, but the connection ended"
        }
    }
}

/// The reason why a client does not take a request.
public enum HTTP2SendError: Error, Hashable, Sendable {
    /// The connection accepts no more requests. Another one is needed.
    case closing
    /// ``HTTP2ClientLimits/waitingRequests`` or ``HTTP2ClientLimits/unsentBytes`` would be exceeded.
    case full
    /// The head is larger than the server accepts.
    case headTooLarge
}
