extension ProblemExplanation {
    /// Every kind of problem that the server answers with.
    static let all: [ProblemExplanation] = reading + finding + sessions + server

    private static let reading: [ProblemExplanation] = [
        .init(
            "malformed-request", 400, "The request does not follow the grammar of HTTP.",
            "Send it with an HTTP library rather than by hand. The detail states what was expected."),
        .init(
            "malformed-json", 400, "The body is not JSON.",
            "The detail says where the text stops being JSON, by line and column."),
        .init(
            "unknown-expectation", 417, "The Expect field asks for something other than 100-continue.",
            "Leave the field out."),
        .init(
            "target-too-long", 414, "The path with its query is longer than the server is configured to read.",
            "Shorten it; values belong in the body."),
        .init(
            "head-too-large", 431, "The header fields are too many or too long.",
            "Send fewer or shorter fields. A large cookie is the usual cause."),
        .init(
            "body-too-large", 413, "The body is larger than the server is configured to take.",
            "Send less in one request."),
        .init(
            "request-timeout", 408, "The request did not arrive in time.", "Send it again on a new connection."),
        .init(
            "unsupported-version", 505, "The request is in a version of HTTP that the server does not speak.",
            "Use HTTP/1.1, or HTTP/2: over TLS, offer h2 in the handshake (ALPN)."),
        .init(
            "not-implemented", 501, "The request needs a part of HTTP that the server does not have.",
            "The detail names it. Send the request without it."),
    ]

    private static let finding: [ProblemExplanation] = [
        .init(
            "not-found", 404, "There is no such path, machine, session, input or output.",
            "GET /v1/machines lists the machines with their inputs and outputs. A session that the server does not know may have been lost in a restart: make a new one."
        ),
        .init(
            "method-not-allowed", 405, "The path is there and does not take this method.",
            "The Allow field of the answer names those that it takes."),
        .init(
            "not-acceptable", 406, "The Accept or Accept-Encoding field names nothing that is offered here.",
            "Accept application/json or, for a stream, text/event-stream, and content without a coding."),
        .init(
            "precondition-failed", 412, "If-Match names something else than what is at the path.",
            "Read it again, and send the request with the tag that it has now."),
        .init(
            "range-not-satisfiable", 416, "The Range field asks for a part that lies behind the end.",
            "The Content-Range field of the answer says how long the content is."),
        .init(
            "unsupported-media-type", 415, "The body is of a type that is not read here.",
            "Send JSON with Content-Type: application/json, and without Content-Encoding."),
        .init(
            "misdirected-request", 421,
            "The Host field names a host that the server does not answer for. A server that listens on loopback addresses only answers for localhost and loopback addresses, so that no other site can reach it through a browser.",
            "Use one of its names, or add this one to http.allowedHosts in the server's configuration."),
        .init(
            "tls-required", 400, "The request came in cleartext, and what it asks for is served over TLS only.",
            "Ask for it with https, on the port for TLS."),
    ]

    private static let sessions: [ProblemExplanation] = [
        .init("session-ended", 410, "The session was deleted, has expired or has failed.", "Make a new session."),
        .init(
            "invalid-value", 422, "The body is JSON and no value for this input.",
            "The detail says what was expected and where. GET /v1/machines has the schema of every input."),
        .init(
            "missing-state", 409,
            "The input is for state that does not exist any more, such as a row that was removed.",
            "Read the session's outputs and decide again. The detail names what is missing; of a batch, ran says how many inputs were run before."
        ),
        .init(
            "version-mismatch", 412, "If-Match names a version that the session is not at.",
            "Read the session, decide again, and send the input with the version that you then have."),
        .init(
            "idempotency-conflict", 409, "The first request with this Idempotency-Key is still under way.",
            "Wait a moment and send the same request again."),
        .init(
            "idempotency-mismatch", 422, "This Idempotency-Key was used with another body before.",
            "Use a new key for each new request."),
        .init(
            "too-many-keys", 429, "There are as many Idempotency-Keys as are remembered, and none is forgotten early.",
            "Wait as long as Retry-After says, or send the request without a key."),
        .init(
            "session-full", 507, "The session retains as many bytes as it may, so it takes no more inputs.",
            "Read from it what you need, delete it, and create a new session. Reading and DELETE still work."),
        .init(
            "too-many-streams", 429, "The session has as many streams as it may have.",
            "Close one, or wait as long as Retry-After says."),
        .init(
            "too-many-sessions", 429, "Your address has too many sessions, or creates them too fast.",
            "End sessions that you no longer need with DELETE, use one session for several inputs, and try again after as long as Retry-After says. All programs behind one IPv4 address or in one IPv6 /64 network count together. Whoever runs the server can raise sessions.maxSessionsPerClient and sessions.maxNewSessionsPerClient."
        ),
    ]

    private static let server: [ProblemExplanation] = [
        .init(
            "internal-error", 500,
            "A machine or the server failed, or a machine showed more than it may. If it was a machine, its session has ended.",
            "Make a new session. Give the incident's id to whoever runs the server: the log has the reason under it."),
        .init(
            "too-many-connections", 429, "The client has too many connections, or makes them too fast.",
            "Keep connections open and use them again; try again after as long as Retry-After says."),
        .init(
            "server-full", 503, "All connections that the server is configured to have are in use.",
            "Try again after as long as Retry-After says."),
        .init(
            "unavailable", 503,
            "The server is starting, shutting down, or full: of sessions, or of the bytes that they retain.",
            "Try again after as long as Retry-After says. Sessions that are not needed any more can be deleted."),
    ]
}
