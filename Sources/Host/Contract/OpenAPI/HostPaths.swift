import MachineHost

/// The paths that do not depend on a machine.
enum HostPaths {
    static var all: [DocumentValue.Member] {
        [
            .init(name: "/v1/machines", value: machines), .init(name: "/v1/machines/{machine}", value: machine),
            .init(name: "/v1/outputs", value: combinedOutputs),
        ] + DescriptionForm.allCases.flatMap(documents) + [
            .init(name: "/health/live", value: health("live", "Responds as long as the process serves requests.")),
            .init(name: "/health/ready", value: health("ready", "Responds with 503 while the server drains.")),
        ]
    }

    private static var machines: DocumentValue {
        let list: DocumentValue = [
            "type": "object", "required": ["machines"],
            "properties": ["machines": ["type": "array", "items": .component("schemas", "MachineDescription")]],
        ]
        return [
            "get": [
                "operationId": "machines", "summary": "Lists the machines.",
                "responses": OpenAPIProblems.responses([OpenAPIContent.json(200, "The machines.", list)]),
            ]
        ]
    }

    private static var machine: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["machine"]),
            "get": [
                "operationId": "machine", "summary": "Describes a machine.",
                "responses": OpenAPIProblems.responses([
                    OpenAPIContent.json(200, "The machine.", .component("schemas", "MachineDescription"))
                ]),
            ],
        ]
    }

    /// The documents of the host and of each machine in a form.
    private static func documents(_ form: DescriptionForm) -> [DocumentValue.Member] {
        let texts: (name: String, host: String, machine: String)
        switch form {
        case .openAPI:
            texts = (
                "openapi", "Describes the server, and names the documents of its machines.",
                "Describes the sessions of a machine, its inputs and its outputs."
            )
        case .types(let language):
            let name = language == .swift ? "Swift" : "TypeScript"
            texts = (
                "types\(name)", "The types of the machines in \(name), for clients.",
                "The types of a machine in \(name), for clients."
            )
        }
        let machine = "machine\(texts.name.prefix(1).uppercased())\(texts.name.dropFirst())"
        return [
            .init(
                name: "/v1/machines/{machine}\(form.path)",
                value: [
                    "parameters": OpenAPIParameters.references(["machine"]),
                    "get": documentOperation(machine, texts.machine, form),
                ]),
            .init(name: "\(form.path)", value: ["get": documentOperation(texts.name, texts.host, form)]),
        ]
    }

    private static func documentOperation(_ name: String, _ summary: String, _ form: DescriptionForm) -> DocumentValue {
        let content: DocumentValue = ["schema": ["type": .string(form == .openAPI ? "object" : "string")]]
        return [
            "operationId": .string(name), "summary": .string(summary),
            "parameters": OpenAPIParameters.references(["If-None-Match"]),
            "responses": OpenAPIProblems.responses([
                OpenAPIContent.response(
                    200, "The document.", .members([(form.mediaType, content)]), fields: ["ETag"]),
                OpenAPIContent.notModified,
            ]),
        ]
    }

    private static var combinedOutputs: DocumentValue {
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
                    OpenAPIContent.response(
                        200, "The stream. \(OpenAPIContent.events)", ["text/event-stream": [:]]),
                    OpenAPIContent.empty("All sessions have ended."),
                ]),
            ]
        ]
    }

    private static func health(_ name: String, _ summary: String) -> DocumentValue {
        [
            "get": [
                "operationId": .string(name), "summary": .string(summary), "security": [],
                "responses": OpenAPIProblems.responses([
                    OpenAPIContent.json(200, "ok", .component("schemas", "Health"))
                ]),
            ]
        ]
    }
}
