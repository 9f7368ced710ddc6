/// The paths that do not depend on a machine.
enum HostPaths {
    static var all: [DocumentValue.Member] {
        [
            .init(name: "/v1/machines", value: machines), .init(name: "/v1/machines/{machine}", value: machine),
            .init(name: "/v1/machines/{machine}/openapi.json", value: machineDocument),
            .init(name: "/v1/outputs", value: combinedOutputs), .init(name: "/openapi.json", value: document),
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

    private static var machineDocument: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["machine"]),
            "get": documentOperation(
                "machineOpenapi", "Describes the sessions of a machine, its inputs and its outputs."),
        ]
    }

    private static var document: DocumentValue {
        ["get": documentOperation("openapi", "Describes the server, and names the documents of its machines.")]
    }

    private static func documentOperation(_ name: String, _ summary: String) -> DocumentValue {
        [
            "operationId": .string(name), "summary": .string(summary),
            "parameters": OpenAPIParameters.references(["If-None-Match"]),
            "responses": OpenAPIProblems.responses([
                OpenAPIContent.json(200, "An OpenAPI document.", ["type": "object"], fields: ["ETag"]),
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
