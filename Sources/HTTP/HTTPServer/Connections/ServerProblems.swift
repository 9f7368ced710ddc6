import HTTPModel

extension ProblemDetails {
    static let requestTimeout = ProblemDetails(
        status: .requestTimeout, kind: "request-timeout", title: "The request did not arrive in time",
        detail: "The rest of the request did not arrive within the configured time.")

    static let truncatedRequest = ProblemDetails(
        status: .badRequest, kind: "malformed-request", title: "The request cannot be read",
        detail: "Expected the rest of the request, got the end of the connection.")

    static let serverFull = ProblemDetails(
        status: .serviceUnavailable, kind: "server-full", title: "The server has too many connections",
        detail: "The server has reached its maximum number of connections. Try again later.",
        fields: [.retryAfter: "5"])

    static let needsTLS = ProblemDetails(
        status: .badRequest, kind: "tls-required", title: "TLS required",
        detail:
            "The request was sent in cleartext and cannot be redirected, because it names no host. Send it over TLS."
    )

    static let tooManyConnections = ProblemDetails(
        status: .tooManyRequests, kind: "too-many-connections", title: "The client has too many connections",
        detail:
            "The client has reached its maximum number of connections, or opens connections too fast. Try again later.",
        fields: [.retryAfter: "1"])

    static func misdirected(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .misdirectedRequest, kind: "misdirected-request", title: "Host not served",
            detail: detail)
    }
}
