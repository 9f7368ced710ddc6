import HTTPModel

extension ProblemDetails {
    static let requestTimeout = ProblemDetails(
        status: .requestTimeout, kind: "request-timeout", title: "The request did not arrive in time",
        detail: "The rest of the request did not come within the configured time.")

    static let truncatedRequest = ProblemDetails(
        status: .badRequest, kind: "malformed-request", title: "The request cannot be read",
        detail: "The connection was closed in the middle of the request.")

    static let serverFull = ProblemDetails(
        status: .serviceUnavailable, kind: "server-full", title: "The server has no room for another connection",
        detail: "All connections that the server is configured to have are in use.", fields: [.retryAfter: "5"])

    static let needsTLS = ProblemDetails(
        status: .badRequest, kind: "tls-required", title: "This is served over TLS only",
        detail: "The request came in cleartext and names no host to which it could be redirected.")

    static let tooManyConnections = ProblemDetails(
        status: .tooManyRequests, kind: "too-many-connections", title: "The client has too many connections",
        detail: "The client has as many connections as it may have, or makes them faster than it may.",
        fields: [.retryAfter: "1"])

    static func misdirected(_ detail: String) -> ProblemDetails {
        ProblemDetails(
            status: .misdirectedRequest, kind: "misdirected-request", title: "This host is not served here",
            detail: detail)
    }
}
