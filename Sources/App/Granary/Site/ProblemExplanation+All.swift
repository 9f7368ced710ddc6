extension ProblemExplanation {
    /// Every kind of problem that the server reports.
    static let all: [ProblemExplanation] = reading + finding + access + sessions + server + operators

    /// The problems that only operators get, so that the description of the machines does not name them.
    static let operators: [ProblemExplanation] = [
        .init(
            "operation-refused", 409,
            "An operator has requested what is not possible in the present situation of the session.",
            "The detail states the reason.")
    ]

    private static let reading: [ProblemExplanation] = [
        .init(
            "malformed-request", 400, "The request violates the syntax of HTTP.",
            "Use an HTTP library. The detail states what was expected."),
        .init(
            "malformed-json", 400, "The body is not valid JSON.",
            "The detail states the line and the column of the first error."),
        .init(
            "unknown-expectation", 417, "The Expect field contains a value other than 100-continue.",
            "Omit the field."),
        .init(
            "target-too-long", 414, "The path and query are longer than the configured limit.",
            "Shorten them, and send values in the body."),
        .init(
            "head-too-large", 431, "The request has too many header fields, or they are too long.",
            "Send fewer or shorter fields. The most common cause is a large cookie."),
        .init(
            "body-too-large", 413, "The body is larger than the configured limit.", "Send less data per request."),
        .init(
            "request-timeout", 408, "The request did not arrive in time.", "Send it again on a new connection."),
        .init(
            "unanswered", 504,
            "Another process continues the sessions and has not responded. It may have performed the request.",
            "Repeat the request only with the Idempotency-Key that it had, or read the session first."),
        .init(
            "unsupported-version", 505, "The server does not support the HTTP version of the request.",
            "Use HTTP/1.1, or HTTP/2: over TLS, offer h2 in the handshake (ALPN)."),
        .init(
            "not-implemented", 501, "The request uses a feature of HTTP that the server does not support.",
            "The detail names the feature. Send the request without it."),
    ]

    private static let finding: [ProblemExplanation] = [
        .init(
            "not-found", 404, "The path, machine, session, input or output does not exist.",
            "GET /v1/machines lists the machines with their inputs and outputs. An unknown session has ended, belongs to somebody else, or was kept in memory by a server that has restarted: create a new one."
        ),
        .init(
            "method-not-allowed", 405, "The resource does not support the method of the request.",
            "The Allow field of the response lists the supported methods."),
        .init(
            "not-acceptable", 406, "The server cannot respond in any format that Accept or Accept-Encoding allows.",
            "Accept application/json or, for a stream, text/event-stream, and allow content without a coding."),
        .init(
            "precondition-failed", 412, "If-Match names a version of the resource that is not the current one.",
            "Read the resource, and send the request with its current entity tag."),
        .init(
            "range-not-satisfiable", 416, "The Range field requests a part after the end of the content.",
            "The Content-Range field of the response states the length of the content."),
        .init(
            "unsupported-media-type", 415, "The server does not support the media type or the coding of the body.",
            "Send JSON with Content-Type: application/json and without Content-Encoding."),
        .init(
            "misdirected-request", 421,
            "The server is not configured for the host in the Host field. A server that listens only on loopback addresses accepts only localhost and loopback addresses, so that no other site can reach it through a browser.",
            "Use one of the server's host names, or add this one to http.allowedHosts in the server's configuration."),
        .init(
            "tls-required", 400, "The request arrived in cleartext, but the resource is available only over TLS.",
            "Use an https URL with the TLS port."),
    ]

    private static let access: [ProblemExplanation] = [
        .init(
            "credentials-required", 401, "The server accepts no requests without credentials.",
            "Send a token, an API key or a ticket in the Authorization field."),
        .init(
            "invalid-credentials", 401, "The credentials of the request are not accepted.",
            "The detail states what is wrong with them, except for an invalid signature. If they have expired, get new ones and send the request again."
        ),
        .init(
            "conflicting-credentials", 400, "The request has more than one credential.",
            "Send either one Authorization field or the parameter ticket."),
        .init(
            "forbidden", 403, "The credentials are valid, but do not permit this request.",
            "The detail states what they permit. Use other credentials, or request a ticket with more rights from the owner of the session."
        ),
        .init(
            "cross-site", 403,
            "The request changes something, its credential is one that browsers send with the requests of all sites, and it does not come from a page of this server.",
            "Pages of other origins need an entry in access.origins in the server's configuration. Other clients send Sec-Fetch-Site: none."
        ),
        .init(
            "too-many-requests", 429, "You have sent more requests than the configured rate permits.",
            "Wait for the time in Retry-After. The fields RateLimit-Policy and RateLimit state the rate and what remains of it."
        ),
        .init(
            "over-quota", 429, "You have more sessions, streams or stored bytes than the configured quota permits.",
            "Delete sessions or close streams that you no longer need, and try again after the time in Retry-After."),
    ]

    private static let sessions: [ProblemExplanation] = [
        .init("session-ended", 410, "The session was deleted, has expired or has failed.", "Create a new session."),
        .init(
            "invalid-value", 422, "The body is valid JSON, but not a valid value for the input.",
            "The detail states what was expected and where. GET /v1/machines contains the schema of every input."),
        .init(
            "missing-state", 409,
            "The input refers to state that no longer exists, such as a row that was removed.",
            "Read the session's outputs and decide again. The detail names the missing state. For a batch, ran is the number of inputs that were run before the failure."
        ),
        .init(
            "input-refused", 409, "The machine does not accept the input now, or not from you.",
            "The detail states the reason. For a batch, ran is the number of inputs that were run before the refused one."
        ),
        .init(
            "name-in-use", 409,
            "You have a session of this machine with this name, which was created with other parameters.",
            "Send the parameters with which it was created, delete it, or choose another name."),
        .init(
            "version-mismatch", 412,
            "If-Match names a version of the session that is not the current one, or a version of another epoch.",
            "Read the session, decide again, and send the input with its current entity tag."),
        .init(
            "idempotency-conflict", 409, "The first request with this Idempotency-Key is still in progress.",
            "Wait briefly, then send the same request again."),
        .init(
            "idempotency-mismatch", 422, "This Idempotency-Key was used for a request with a different body.",
            "Use a new key for each new request."),
        .init(
            "too-many-keys", 429,
            "The server stores the maximum number of Idempotency-Keys, and removes none before its time.",
            "Wait for the time in Retry-After, or send the request without a key."),
        .init(
            "session-full", 507, "The session uses all of its memory, so it accepts no more inputs.",
            "Read the data that you need, delete the session, and create a new one. GET and DELETE still work."),
        .init(
            "disk-full", 507, "The disk of the server is nearly full, so that inputs cannot be stored.",
            "Try again after the time in Retry-After. Sessions can still be read and deleted. The operator of the server can free space, or lower sessions.diskReserve."
        ),
        .init(
            "too-many-streams", 429, "The session has the maximum number of streams.",
            "Close a stream, or wait for the time in Retry-After. Without Prefer: status, the stream ends with busy instead."
        ),
        .init(
            "too-many-sessions", 429, "Your address has too many sessions, or creates them too fast.",
            "Delete sessions that you no longer need, send several inputs to one session, and try again after the time in Retry-After. All programs behind one IPv4 address or in one IPv6 /64 network are counted together. The operator of the server can raise sessions.maxSessionsPerClient and sessions.maxNewSessionsPerClient."
        ),
    ]

    private static let server: [ProblemExplanation] = [
        .init(
            "internal-error", 500,
            "A machine or the server failed, or the outputs of a machine exceeded their limit. If a machine failed, its session has ended.",
            "Create a new session. Report the id of the incident to the operator of the server, whose log contains the reason."
        ),
        .init(
            "too-many-connections", 429, "The client has too many connections, or opens them too fast.",
            "Reuse connections, and try again after the time in Retry-After."),
        .init(
            "server-full", 503, "The server has the maximum number of connections.",
            "Try again after the time in Retry-After."),
        .init(
            "unavailable", 503,
            "The server is starting, shutting down, or at its limit of sessions or of memory for sessions. Or it cannot read the stored session at this time, and keeps it unchanged.",
            "Try again after the time in Retry-After. Delete sessions that you no longer need."),
    ]
}
