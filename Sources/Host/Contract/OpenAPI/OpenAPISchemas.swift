/// The schemas that do not depend on the machines.
enum OpenAPISchemas {
    static let all: [DocumentValue.Member] = [
        .init(name: "Problem", value: problem), .init(name: "SessionID", value: sessionID),
        .init(name: "SessionName", value: sessionName), .init(name: "Durability", value: durability),
        .init(name: "MachineDescription", value: machine), .init(name: "Progress", value: progress),
        .init(name: "Awake", value: awake), .init(name: "Health", value: health),
        .init(name: "Ticket", value: ticket), .init(name: "TicketTerms", value: ticketTerms),
    ]

    private static let text: DocumentValue = ["type": "string"]
    private static let time: DocumentValue = ["type": "string", "format": "date-time"]
    static let exampleID = "jt0iGwEJTmmrvDnmhNTjwg"
    static let version: DocumentValue = ["type": "integer", "minimum": 0]

    private static let problem: DocumentValue = [
        "type": "object", "description": "An error (RFC 9457). `type` is the path of a page that explains it.",
        "required": ["type", "title", "status", "detail"],
        "properties": [
            "type": text, "title": text, "status": ["type": "integer"], "detail": text, "incident": text,
            "reason": text,
            "line": ["type": "integer"], "column": ["type": "integer"], "version": version, "ran": ["type": "integer"],
            "errors": ["type": "array", "items": fault],
        ],
    ]

    private static let fault: DocumentValue = [
        "type": "object", "required": ["pointer", "detail"],
        "properties": ["pointer": ["type": "string", "description": "A JSON Pointer (RFC 6901)."], "detail": text],
    ]

    private static let sessionID: DocumentValue = [
        "type": "string", "pattern": "^[A-Za-z0-9_-]{21}[AQgw]$", "examples": [.string(exampleID)],
    ]

    private static let sessionName: DocumentValue = [
        "type": ["string", "null"], "pattern": "^[A-Za-z0-9._~-]{1,64}$",
        "description": "Finds the session of the requester with this name, or creates it. Needs credentials.",
    ]

    private static let durability: DocumentValue = [
        "type": "string", "enum": ["memory", "process", "disk", "replicated"],
        "description": "What an acknowledged input survives.",
    ]

    private static let machine: DocumentValue = [
        "type": "object", "required": ["name", "summary", "durability", "inputs", "outputs"],
        "properties": [
            "name": text, "summary": text, "durability": .component("schemas", "Durability"), "parameters": schema,
            "inputs": ["type": "array", "items": port], "outputs": ["type": "array", "items": output],
        ],
    ]

    private static let schema: DocumentValue = [
        "type": ["object", "boolean"], "description": "A JSON Schema (2020-12).",
    ]

    private static let port: DocumentValue = [
        "type": "object", "required": ["name", "schema"], "properties": ["name": text, "schema": schema],
    ]

    private static let output: DocumentValue = [
        "type": "object", "required": ["name", "kind", "schema"],
        "properties": ["name": text, "kind": ["type": "string", "enum": ["value", "event"]], "schema": schema],
    ]

    private static let progress: DocumentValue = [
        "type": "array",
        "items": ["type": "object", "properties": ["effect": text, "since": time, "timer": text, "due": time]],
    ]

    private static let awake: DocumentValue = [
        "type": "object", "required": ["because"],
        "properties": [
            "because": ["enum": ["timer", "effect", "work", "storage", "stream", "configuration", "use"]], "due": time,
            "name": text, "since": time,
        ],
    ]

    private static let health: DocumentValue = [
        "type": "object", "required": ["status"], "properties": ["status": ["const": "ok"]],
    ]

    private static let ticket: DocumentValue = [
        "type": "object", "required": ["ticket", "allows", "expires"],
        "properties": ["ticket": text, "allows": ["type": "array", "items": right], "expires": time],
    ]

    private static let right: DocumentValue = ["type": "string", "enum": ["read", "write", "delete"]]

    private static let duration: DocumentValue = [
        "type": "string", "pattern": "^[1-9][0-9]{0,6}[smhd]$",
        "description": "A duration such as 30s, 5m, 2h or 7d, of at most 30d.", "examples": ["5m"],
    ]

    private static let ticketTerms: DocumentValue = [
        "type": "object", "required": ["allows"], "additionalProperties": false,
        "properties": [
            "allows": ["type": "array", "items": right, "minItems": 1], "expiresIn": duration, "renewsFor": duration,
            "uses": ["type": "integer", "minimum": 1, "maximum": 65_535], "label": text,
        ],
    ]
}
