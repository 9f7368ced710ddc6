public import HTTPModel

/// The reason why the response to a well-formed request is a problem and no responder receives the request.
public enum HTTP2Refusal: Hashable, CaseIterable, Sendable {
    /// `:path` exceeds the limit.
    case targetTooLong
    /// The fields exceed the limit.
    case headTooLarge
    /// The body exceeds the limit.
    case bodyTooLarge
    /// The body did not arrive in time.
    case bodyTimeout
    /// `CONNECT`, which is not supported.
    case tunnel
    /// A scheme other than `http` and `https`.
    case scheme
    /// An expectation other than `100-continue` (RFC 9110 §10.1.1).
    case expectation
}

extension HTTP2Refusal {
    /// The content of the response.
    public var problem: ProblemDetails {
        switch self {
        case .targetTooLong:
            ProblemDetails(
                status: .uriTooLong, kind: "target-too-long", title: "Target too long",
                detail: "The target exceeds the configured limit.")
        case .headTooLarge:
            ProblemDetails(
                status: .headerFieldsTooLarge, kind: "head-too-large", title: "Head too large",
                detail: "The header fields exceed the configured limit.")
        case .bodyTooLarge:
            ProblemDetails(
                status: .contentTooLarge, kind: "body-too-large", title: "Body too large",
                detail: "The body exceeds the configured limit.")
        case .bodyTimeout:
            ProblemDetails(
                status: .requestTimeout, kind: "request-timeout", title: "The request did not arrive in time",
                detail: "The rest of the request did not arrive within the configured time.")
        case .tunnel:
            ProblemDetails(
                status: .notImplemented, kind: "not-implemented",
                title: "Not implemented",
                detail: "CONNECT requests a tunnel, which is not supported.")
        case .scheme:
            ProblemDetails(
                status: .badRequest, kind: "malformed-request", title: "Malformed request",
                detail: "Expected the scheme http or https.")
        case .expectation:
            ProblemDetails(
                status: .expectationFailed, kind: "unknown-expectation",
                title: "Unknown expectation",
                detail: "The only supported expectation is 100-continue.")
        }
    }
}
