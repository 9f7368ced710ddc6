import HTTPModel

struct MachinePaths {
    let machine: MachineComponents
    let issuesTickets: Bool

    /// The errors of a request that runs a turn.
    private static let problems = [409, 410, 412, 413, 415, 422, 504, 507]

    var all: [DocumentValue.Member] {
        let inputs = machine.inputs.map { input in
            // A name may contain braces, which would be a template, and other characters that a path may not.
            let name = PercentEncoding.encode(input.name)
            return DocumentValue.Member(
                name: "/v1/sessions/{session}/inputs/\(name)", value: self.input(input.name, input.value))
        }
        return [
            .init(name: "/v1/sessions", value: sessions), .init(name: "/v1/sessions/{session}", value: session),
            .init(name: "/v1/sessions/{session}/outputs", value: outputs),
            .init(name: "/v1/sessions/{session}/stream", value: stream),
            .init(name: "/v1/sessions/{session}/inputs", value: batch),
        ] + inputs + (issuesTickets ? [.init(name: "/v1/sessions/{session}/tickets", value: tickets)] : [])
    }

    private var sessions: DocumentValue {
        [
            "post": [
                "operationId": "createSession", "summary": "Creates a session, or finds the one with a name.",
                "parameters": OpenAPIParameters.references(["Idempotency-Key"]),
                "requestBody": OpenAPIContent.body(creation),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.json(
                            201, "The session was created.", representation, example: example,
                            fields: ["Location", "ETag", "Idempotency-Replayed", "Set-Cookie"]),
                        OpenAPIContent.json(
                            200, "The session with the name exists.", representation, example: example,
                            fields: ["Location", "ETag"]),
                    ], and: [409, 413, 415, 422, 504, 507]),
            ]
        ]
    }

    private var creation: MachineComponents.Body {
        let needsParameters = machine.parameters?.isRequired ?? false
        let parameters: DocumentValue =
            machine.parameters.map { $0.isRequired ? $0.schema : ["anyOf": [$0.schema, ["type": "null"]]] }
            ?? ["type": "null"]
        let name = DocumentValue.string(machine.name)
        return MachineComponents.Body(
            schema: [
                "type": "object", "required": needsParameters ? ["machine", "parameters"] : ["machine"],
                "additionalProperties": false,
                "properties": [
                    "machine": ["const": name], "parameters": parameters,
                    "name": .component("schemas", "SessionName"),
                ],
            ], example: .members([("machine", name), ("parameters", machine.parameters?.example)]), isRequired: true)
    }

    private var representation: DocumentValue {
        [
            "type": "object",
            "required": ["id", "machine", "version", "durability", "outputs", "created", "expires"],
            "properties": [
                "id": .component("schemas", "SessionID"), "name": .component("schemas", "SessionName"),
                "machine": ["const": .string(machine.name)], "version": OpenAPISchemas.version,
                "durability": .component("schemas", "Durability"),
                "outputs": ["anyOf": [machine.outputs, ["type": "null"]]],
                "created": ["type": "string", "format": "date-time"],
                "expires": ["type": "string", "format": "date-time"],
                "inProgress": .component("schemas", "Progress"), "dormant": ["type": "boolean"],
                "awake": .component("schemas", "Awake"),
            ],
        ]
    }

    private var example: DocumentValue {
        [
            "id": .string(OpenAPISchemas.exampleID), "machine": .string(machine.name), "version": 1,
            "durability": "memory", "outputs": machine.outputsExample, "created": "2026-01-31T12:00:00Z",
            "expires": "2026-01-31T12:30:00Z",
        ]
    }

    private var session: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "get": [
                "operationId": "session", "summary": "Reads a session.",
                "parameters": OpenAPIParameters.references(["If-Match", "If-None-Match"]),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.json(
                            200, "The session.", representation, example: example, fields: ["ETag"]),
                        OpenAPIContent.notModified,
                    ], and: [410, 412]),
            ],
            "delete": [
                "operationId": "deleteSession", "summary": "Ends a session.",
                "parameters": OpenAPIParameters.references(["If-Match"]),
                "responses": OpenAPIProblems.responses(
                    [OpenAPIContent.empty("The session has ended.")], and: [410, 412, 504]),
            ],
        ]
    }

    private var outputs: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "get": [
                "operationId": "outputs",
                "summary": "Reads the outputs, or follows them with Accept: text/event-stream.",
                "parameters": OpenAPIParameters.references([
                    "only", "lastEventID", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer",
                ]),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.response(
                            200, "The outputs. \(OpenAPIContent.events)",
                            [
                                "application/json": ["schema": machine.outputs, "example": machine.outputsExample],
                                "text/event-stream": [:],
                            ], fields: ["ETag"]),
                        OpenAPIContent.empty("The session of the stream has ended."), OpenAPIContent.notModified,
                    ], and: [410, 412]),
            ],
        ]
    }

    private var stream: DocumentValue {
        let data: DocumentValue = ["anyOf": [machine.outputs, machine.changes]]
        let message: DocumentValue = [
            "type": "object", "required": ["event", "id", "data"],
            "properties": ["event": ["enum": ["snapshot", "change"]], "id": ["type": "string"], "data": data],
        ]
        let fields = ["Stream-Next-Offset", "Stream-Up-To-Date", "Stream-Cursor", "Stream-Closed"]
        return [
            "parameters": OpenAPIParameters.references(["session"]),
            "get": [
                "operationId": "stream", "summary": "Reads the outputs as a stream of the Durable Streams protocol.",
                "parameters": OpenAPIParameters.references(["offset", "live", "cursor", "only", "If-None-Match"]),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.response(
                            200, "The messages after the offset. As events: `data` with messages, and `control`.",
                            [
                                "application/json": ["schema": ["type": "array", "items": message]],
                                "text/event-stream": [:],
                            ], fields: ["ETag"] + fields),
                        OpenAPIContent.response(204, "No message has followed, or none will.", nil, fields: fields),
                        OpenAPIContent.response(304, "The client has the messages.", nil, fields: ["ETag"] + fields),
                    ], and: [410]),
            ],
        ]
    }

    private func input(_ name: String, _ value: MachineComponents.Body) -> DocumentValue {
        turn("input \(name)", "Sends \(name) to a session.", value)
    }

    private var batch: DocumentValue {
        turn("batch", "Sends several inputs as one turn, in order.", machine.batch)
    }

    /// A path whose request runs a turn: the response has the version and what the turn has changed.
    private func turn(_ operation: String, _ summary: String, _ body: MachineComponents.Body) -> DocumentValue {
        let schema: DocumentValue = [
            "type": "object", "required": ["version", "changes"],
            "properties": [
                "version": OpenAPISchemas.version,
                // A change that is too large to be remembered is null when the response is repeated.
                "changes": ["anyOf": [machine.changes, ["type": "null"]]],
            ],
        ]
        let example: DocumentValue = ["version": 2, "changes": machine.changesExample]
        return [
            "parameters": OpenAPIParameters.references(["session"]),
            "post": [
                "operationId": .string(operation), "summary": .string(summary),
                "parameters": OpenAPIParameters.references(["Idempotency-Key", "If-Match", "If-None-Match"]),
                "requestBody": OpenAPIContent.body(body),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.json(
                            200, "The turn has run.", schema, example: example, fields: ["Idempotency-Replayed"])
                    ], and: MachinePaths.problems),
            ],
        ]
    }

    private var tickets: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "post": [
                "operationId": "issueTicket", "summary": "Issues a ticket for the session, or renews one.",
                "parameters": OpenAPIParameters.references(["Idempotency-Key"]),
                "requestBody": OpenAPIContent.body(.component("schemas", "TicketTerms")),
                "responses": OpenAPIProblems.responses(
                    [
                        OpenAPIContent.json(
                            201, "The ticket.", .component("schemas", "Ticket"), fields: ["Idempotency-Replayed"])
                    ],
                    and: [410, 413, 415, 422, 504, 507]),
            ],
            "delete": [
                "operationId": "revokeTickets", "summary": "Revokes all tickets of the session.",
                "responses": OpenAPIProblems.responses(
                    [OpenAPIContent.empty("The tickets are invalid.")], and: [410, 504, 507]),
            ],
        ]
    }
}
