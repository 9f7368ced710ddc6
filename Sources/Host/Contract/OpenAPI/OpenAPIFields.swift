enum OpenAPIHeaders {
    static let all: [DocumentValue.Member] = [
        field("Location", "The path of the session."),
        field("ETag", "The entity tag. That of a session is the position of its version in its stream, in quotes."),
        field("Allow", "The methods that the resource supports."),
        field("Retry-After", "The number of seconds to wait before a retry.", ["type": "integer", "minimum": 0]),
        field("RateLimit", "What is left of the rate or quota that applies."),
        field("RateLimit-Policy", "The rates and quotas that apply."),
        field("WWW-Authenticate", "The credentials that are expected."),
        field("Idempotency-Replayed", "Whether the response is that of an earlier request.", ["const": "true"]),
        field("Stream-Next-Offset", "The offset after the last message of the response."),
        field("Stream-Up-To-Date", "Whether no other message exists.", ["const": "true"]),
        field("Stream-Cursor", "What the next request sends as `cursor`."),
        field("Stream-Closed", "Whether the session has ended, so that no other message follows.", ["const": "true"]),
        field("Set-Cookie", "The cookie that identifies the browser, if access.cookie is set."),
    ]

    /// Returns references to fields, as the `headers` of a response.
    static func references(_ names: [String]) -> DocumentValue {
        .object(names.map { .init(name: $0, value: .component("headers", $0)) })
    }

    private static func field(
        _ name: String, _ description: String, _ schema: DocumentValue = ["type": "string"]
    ) -> DocumentValue.Member {
        .init(name: name, value: ["description": .string(description), "schema": schema])
    }
}

/// The parameters that several operations have.
enum OpenAPIParameters {
    static let all: [DocumentValue.Member] = [
        .init(
            name: "session",
            value: [
                "name": "session", "in": "path", "required": true, "description": "The id of the session.",
                "schema": .component("schemas", "SessionID"),
            ]),
        .init(
            name: "machine",
            value: [
                "name": "machine", "in": "path", "required": true, "description": "The name of the machine.",
                "schema": ["type": "string", "pattern": "^[a-z][a-z0-9-]{0,63}$"],
            ]),
        field(
            "Idempotency-Key",
            "Makes the request safe to repeat: a repetition gets the first response. At least 22 characters for a session without credentials, and to redeem a ticket.",
            ["type": "string", "minLength": 1, "maxLength": 255]),
        field("If-Match", "The entity tag that the session must have, or its version in quotes.", version),
        field("If-None-Match", "The entity tag that the client has.", ["type": "string"]),
        field("Last-Event-ID", "The position after which the stream continues.", ["type": "string"]),
        field(
            "Prefer", "`status`: a stream that is refused gets the status instead of an event `end`.",
            ["type": "string"]),
        query("only", "The names of the outputs, separated by commas."),
        query(
            "offset",
            "Where to begin: -1 for a snapshot, now, or the value of Stream-Next-Offset. Required with `live`.",
            ["type": "string", "pattern": "^(-1|now|[0-9]{20}\\.[A-Za-z0-9_-]{6})$"]),
        query(
            "live", "`long-poll` to wait for the next message, `sse` for events.",
            ["type": "string", "enum": ["long-poll", "sse"]]),
        query("cursor", "The value of Stream-Cursor."),
        query("lastEventID", "The position after which the stream continues, for clients that cannot send fields."),
    ]

    private static let version: DocumentValue = [
        "type": "string", "pattern": "^(\\*|\"([A-Za-z0-9_-]{6}\\.)?[0-9]{1,18}\")$",
    ]

    static func references(_ names: [String]) -> DocumentValue {
        .array(names.map { .component("parameters", $0) })
    }

    private static func field(
        _ name: String, _ description: String, _ schema: DocumentValue
    ) -> DocumentValue.Member {
        .init(
            name: name,
            value: [
                "name": .string(name), "in": "header", "description": .string(description), "schema": schema,
            ])
    }

    private static func query(
        _ name: String, _ description: String, _ schema: DocumentValue = ["type": "string"]
    ) -> DocumentValue.Member {
        .init(
            name: name,
            value: [
                "name": .string(name), "in": "query", "description": .string(description), "schema": schema,
            ])
    }
}
