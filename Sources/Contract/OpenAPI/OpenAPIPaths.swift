import HTTPModel
import MachineHost

/// The paths of the document.
struct OpenAPIPaths {
    let machines: [MachineComponents]
    let access: HostDescription.Access

    // Without a schema, which would be that of the whole text.
    private static let events = """
        A stream has the events `snapshot` (all outputs), `resume` (the position after which the stream continues), `change` (the outputs \
        that one turn has changed) and `end` (the reason). The `id` of an event is a position for Last-Event-ID.
        """

    var all: [DocumentValue.Member] {
        [
            .init(name: "/v1/machines", value: machineList), .init(name: "/v1/machines/{machine}", value: machine),
            .init(name: "/v1/sessions", value: sessions), .init(name: "/v1/sessions/{session}", value: session),
            .init(name: "/v1/sessions/{session}/outputs", value: outputs),
            .init(name: "/v1/sessions/{session}/inputs", value: batch),
        ] + inputs
            + (access.issuesTickets ? [.init(name: "/v1/sessions/{session}/tickets", value: tickets)] : []) + [
                .init(name: "/v1/outputs", value: combinedOutputs), .init(name: "/openapi.json", value: document),
                .init(name: "/health/live", value: health("live", "Responds as long as the process serves requests.")),
                .init(name: "/health/ready", value: health("ready", "Responds with 503 while the server drains.")),
            ]
    }

    private var machineList: DocumentValue {
        let list: DocumentValue = [
            "type": "object", "required": ["machines"],
            "properties": ["machines": ["type": "array", "items": .component("schemas", "MachineDescription")]],
        ]
        return [
            "get": [
                "operationId": "machines", "summary": "Lists the machines.",
                "responses": OpenAPIProblems.responses([json(200, "The machines.", list)]),
            ]
        ]
    }

    private var machine: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["machine"]),
            "get": [
                "operationId": "machine", "summary": "Describes a machine.",
                "responses": OpenAPIProblems.responses(
                    [json(200, "The machine.", .component("schemas", "MachineDescription"))]),
            ],
        ]
    }

    private var document: DocumentValue {
        [
            "get": [
                "operationId": "openapi", "summary": "Describes the server, or one machine.",
                "parameters": [
                    ["name": "machine", "in": "query", "schema": ["type": "string"]],
                    .component("parameters", "If-None-Match"),
                ],
                "responses": OpenAPIProblems.responses([
                    json(200, "An OpenAPI document.", ["type": "object"], fields: ["ETag"]), notModified,
                ]),
            ]
        ]
    }

    private func health(_ name: String, _ summary: String) -> DocumentValue {
        [
            "get": [
                "operationId": .string(name), "summary": .string(summary), "security": [],
                "responses": OpenAPIProblems.responses([json(200, "ok", .component("schemas", "Health"))]),
            ]
        ]
    }

    private var sessions: DocumentValue {
        let creations = machines.map(creation)
        // Without a machine, nothing can be created.
        let schema: DocumentValue = creations.isEmpty ? ["not": [:]] : ["oneOf": .array(creations)]
        return [
            "post": [
                "operationId": "createSession", "summary": "Creates a session, or finds the one with a name.",
                "parameters": OpenAPIParameters.references(["Idempotency-Key"]),
                "requestBody": body(schema, isRequired: true),
                "responses": OpenAPIProblems.responses(
                    [
                        json(
                            201, "The session was created.", representation,
                            fields: ["Location", "ETag", "Idempotency-Replayed", "Set-Cookie"]),
                        json(200, "The session with the name exists.", representation, fields: ["Location", "ETag"]),
                    ], and: [409, 413, 415, 422, 507]),
            ]
        ]
    }

    private func creation(_ machine: MachineComponents) -> DocumentValue {
        let required: DocumentValue = machine.needsParameters ? ["machine", "parameters"] : ["machine"]
        let name = DocumentValue.component("schemas", "SessionName")
        let parameters: DocumentValue
        if let schema = machine.parameters {
            parameters = machine.needsParameters ? schema : ["anyOf": [schema, ["type": "null"]]]
        } else {
            parameters = ["type": "null"]
        }
        return [
            "type": "object", "required": required, "additionalProperties": false,
            "properties": ["machine": ["const": .string(machine.name)], "parameters": parameters, "name": name],
        ]
    }

    private var representation: DocumentValue {
        let forms = machines.map { machine -> DocumentValue in
            let more: [DocumentValue.Member] = [
                .init(name: "machine", value: ["const": .string(machine.name)]),
                .init(name: "outputs", value: ["anyOf": [machine.outputs, ["type": "null"]]]),
            ]
            return ["type": "object", "required": ["machine", "outputs"], "properties": .object(more)]
        }
        let common: DocumentValue = [
            "type": "object",
            "required": ["id", "machine", "version", "durability", "outputs", "created", "expires"],
            "properties": [
                "id": .component("schemas", "SessionID"), "name": .component("schemas", "SessionName"),
                "version": OpenAPISchemas.version, "durability": .component("schemas", "Durability"),
                "created": ["type": "string", "format": "date-time"],
                "expires": ["type": "string", "format": "date-time"],
                "inProgress": .component("schemas", "Progress"), "dormant": ["type": "boolean"],
                "awake": .component("schemas", "Awake"),
            ],
        ]
        return ["allOf": .array([common] + (forms.isEmpty ? [] : [["oneOf": .array(forms)]]))]
    }

    private var session: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "get": [
                "operationId": "session", "summary": "Reads a session.",
                "parameters": OpenAPIParameters.references(["If-Match", "If-None-Match"]),
                "responses": OpenAPIProblems.responses(
                    [json(200, "The session.", representation, fields: ["ETag"]), notModified], and: [410, 412]),
            ],
            "delete": [
                "operationId": "deleteSession", "summary": "Ends a session.",
                "parameters": OpenAPIParameters.references(["If-Match"]),
                "responses": OpenAPIProblems.responses([empty("The session has ended.")], and: [410, 412]),
            ],
        ]
    }

    private var outputs: DocumentValue {
        let values: DocumentValue = machines.isEmpty ? ["type": "object"] : ["anyOf": .array(machines.map(\.outputs))]
        return [
            "parameters": OpenAPIParameters.references(["session"]),
            "get": [
                "operationId": "outputs",
                "summary": "Reads the outputs, or follows them with Accept: text/event-stream.",
                "parameters": OpenAPIParameters.references([
                    "only", "lastEventID", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer",
                ]),
                "responses": OpenAPIProblems.responses(
                    [
                        response(
                            200, "The outputs. \(OpenAPIPaths.events)",
                            [
                                "application/json": ["schema": values],
                                "text/event-stream": [:],
                            ], fields: ["ETag"]),
                        empty("The session of the stream has ended."), notModified,
                    ], and: [410, 412]),
            ],
        ]
    }

    private var combinedOutputs: DocumentValue {
        [
            "get": [
                "operationId": "combinedOutputs", "summary": "Follows the outputs of several sessions in one stream.",
                "parameters": .array(
                    [
                        [
                            "name": "session", "in": "query", "required": true, "explode": true,
                            "description": "The ids. Each may be followed by `only`.",
                            "schema": [
                                "type": "array", "items": .component("schemas", "SessionID"), "minItems": 1,
                                "maxItems": 64, "uniqueItems": true,
                            ],
                        ]
                    ] + ["lastEventID", "Last-Event-ID", "Prefer"].map { .component("parameters", $0) }),
                "responses": OpenAPIProblems.responses([
                    response(
                        200, "The stream. \(OpenAPIPaths.events)", ["text/event-stream": [:]]),
                    empty("All sessions have ended."),
                ]),
            ]
        ]
    }

    func body(_ schema: DocumentValue, isRequired: Bool) -> DocumentValue {
        ["required": .bool(isRequired), "content": ["application/json": ["schema": schema]]]
    }

    func json(
        _ status: Int, _ description: String, _ schema: DocumentValue, fields: [String] = []
    ) -> DocumentValue.Member {
        response(status, description, ["application/json": ["schema": schema]], fields: fields)
    }

    func response(
        _ status: Int, _ description: String, _ content: DocumentValue?, fields: [String] = []
    ) -> DocumentValue.Member {
        .init(
            name: "\(status)",
            value: .members([
                ("description", .string(description)),
                ("headers", fields.isEmpty ? nil : OpenAPIHeaders.references(fields)), ("content", content),
            ]))
    }

    func empty(_ description: String) -> DocumentValue.Member { response(204, description, nil) }

    private var notModified: DocumentValue.Member {
        response(304, "The client has the current content.", nil, fields: ["ETag"])
    }
}
