/// Every resource of http-api.md, in an order in which each request has the expected effect.
enum MatrixRequests {
    static let session = "/v1/sessions/ID"

    /// The requests before the session ends.
    static let all: [MatrixRequest] = documents + reading + inputs + sharing + creations

    private static let documents: [MatrixRequest] = [
        MatrixRequest(method: "GET", path: "/health/live", own: .answer(200, "{\"status\":\"ok\"}"), scope: .everyone),
        MatrixRequest(method: "GET", path: "/health/ready", own: .answer(200, "{\"status\":\"ok\"}"), scope: .everyone),
        MatrixRequest(method: "GET", path: "/", own: .answer(200, "<!doctype html>"), scope: .everyone),
        MatrixRequest(method: "GET", path: "/v1/machines", own: .answer(200, "{\"machines\":["), scope: .server),
        MatrixRequest(
            method: "GET", path: "/v1/machines/talker", own: .answer(200, "{\"name\":\"talker\","), scope: .server),
        MatrixRequest(
            method: "GET", path: "/v1/machines/nothing", own: .problem(404, "not-found"), scope: .server),
        MatrixRequest(
            method: "GET", path: "/openapi.json", own: .answer(200, "{\"openapi\":\"3.1.0\""), scope: .server),
        MatrixRequest(method: "GET", path: "/types.d.ts", own: .answer(200, "// Types of machines"), scope: .server),
        MatrixRequest(
            method: "GET", path: "/v1/machines/talker/types.swift", own: .answer(200, "// Types of machines"),
            scope: .server),
        MatrixRequest(
            method: "GET", path: "/granary-client.tgz", fields: [("if-none-match", "*")], own: .answer(304),
            scope: .everyone),
        MatrixRequest(method: "GET", path: "/v1/nowhere", own: .problem(404, "not-found"), scope: .server),
        MatrixRequest(
            method: "PUT", path: "/v1/sessions", own: .problem(405, "method-not-allowed"), scope: .server),
        // The path of a session, but a method that none of them has there.
        MatrixRequest(
            method: "GET", path: session + "/inputs", own: .problem(405, "method-not-allowed"), scope: .server),
        MatrixRequest(
            method: "GET", path: session + "/tickets", own: .problem(405, "method-not-allowed"), scope: .server),
    ]

    private static let reading: [MatrixRequest] = [
        MatrixRequest(
            method: "GET", path: session,
            own: .answer(
                200,
                #"{"id":"ID","machine":"talker","version":0,"durability":"memory","outputs":{"text":"quiet"},"created":"2"#
            )),
        MatrixRequest(method: "HEAD", path: session, own: .answer(200)),
        MatrixRequest(method: "GET", path: session, fields: [("if-none-match", "\"0\"")], own: .answer(304)),
        MatrixRequest(method: "OPTIONS", path: session, own: .answer(204)),
        MatrixRequest(method: "PUT", path: session, own: .problem(405, "method-not-allowed")),
        MatrixRequest(method: "GET", path: session + "/outputs", own: .answer(200, #"{"text":"quiet"}"#)),
        MatrixRequest(method: "HEAD", path: session + "/stream", own: .answer(200)),
        MatrixRequest(method: "GET", path: session + "/outputs?only=text", own: .answer(200, #"{"text":"quiet"}"#)),
        MatrixRequest(method: "GET", path: session + "/outputs?only=none", own: .problem(404, "not-found")),
        MatrixRequest(
            method: "GET", path: session + "/outputs", own: .stream("snapshot", #"{"text":"quiet"}"#), scope: .stream),
        MatrixRequest(
            method: "GET", path: "/v1/outputs?session=ID",
            own: .stream("snapshot", #""data":{"text":"quiet"}}"#), scope: .combined),
    ]

    private static let inputs: [MatrixRequest] = [
        MatrixRequest(method: "POST", path: session + "/inputs/none", own: .problem(404, "not-found")),
        MatrixRequest(
            method: "POST", path: session + "/inputs/say", body: #""one""#,
            own: .answer(200, #"{"version":1,"changes":{"text":"one"}}"#)),
        MatrixRequest(
            method: "POST", path: session + "/inputs", body: #"[{"input":"say","value":"two"}]"#,
            own: .answer(200, #"{"version":2,"changes":{"text":"two"}}"#)),
        MatrixRequest(
            method: "POST", path: session + "/inputs/say", body: #""three""#, fields: [("if-match", "\"7\"")],
            own: .problem(412, "version-mismatch")),
        MatrixRequest(method: "POST", path: session + "/inputs", body: "{", own: .problem(400, "malformed-json")),
    ]

    private static let sharing: [MatrixRequest] = [
        MatrixRequest(
            method: "POST", path: session + "/tickets", body: #"{"allows":["read"]}"#,
            own: .answer(201, #"{"ticket":""#), scope: .sharing)
    ]

    private static let creations: [MatrixRequest] = [
        MatrixRequest(
            method: "POST", path: "/v1/sessions", body: #"{"machine":"talker"}"#, own: .answer(201, #"{"id":""#),
            scope: .creation),
        MatrixRequest(
            method: "POST", path: "/v1/sessions", body: #"{"machine":"shop","parameters":{"country":"FR"}}"#,
            own: .answer(201, #"{"id":""#), scope: .creation),
        MatrixRequest(
            method: "POST", path: "/v1/sessions", body: #"{"machine":"shop","parameters":{}}"#,
            own: .problem(422, "invalid-value"), scope: .creation),
        MatrixRequest(
            method: "POST", path: "/v1/sessions",
            body: #"{"machine":"shop","name":"NEW","parameters":{"country":"FR"}}"#, own: .answer(201, #"{"id":""#),
            scope: .namedCreation),
    ]

    /// The requests for a name that the client has used before; for principals only.
    static let named: [MatrixRequest] = [
        MatrixRequest(
            method: "POST", path: "/v1/sessions",
            body: #"{"machine":"shop","name":"NEW","parameters":{"country":"FR"}}"#, own: .answer(200, #"{"id":""#),
            scope: .namedCreation),
        MatrixRequest(
            method: "POST", path: "/v1/sessions",
            body: #"{"machine":"shop","name":"NEW","parameters":{"country":"DE"}}"#,
            own: .problem(409, "name-in-use"), scope: .namedCreation),
    ]

    /// The end of the session, and what is left of it.
    static let end: [MatrixRequest] = [
        MatrixRequest(method: "DELETE", path: session, own: .answer(204)),
        MatrixRequest(method: "GET", path: session, own: .problem(410, "session-ended")),
        MatrixRequest(method: "POST", path: session + "/inputs/say", own: .problem(410, "session-ended")),
        MatrixRequest(method: "GET", path: session + "/outputs", own: .problem(410, "session-ended")),
        MatrixRequest(
            method: "GET", path: session + "/outputs", fields: [("accept", "text/event-stream")], own: .answer(204)),
        MatrixRequest(
            method: "GET", path: "/v1/outputs?session=ID", own: .stream("end", "deleted"), scope: .combined),
        MatrixRequest(method: "DELETE", path: session, own: .problem(410, "session-ended")),
    ]

    /// The revocation of tickets, which is for the owner.
    static let revocation = MatrixRequest(
        method: "DELETE", path: session + "/tickets", own: .answer(204), scope: .sharing)
}
