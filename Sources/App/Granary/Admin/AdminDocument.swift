import HTTPModel
import StateCapture

/// The OpenAPI description of the admin interface, made from its operations.
enum AdminDocument {
    static let json: [UInt8] = {
        var paths: [String: StateValue] = [:]
        for operation in AdminOperation.allCases {
            var item = paths[operation.path] ?? .object([:])
            item[operation.method.rawValue.lowercased()] = described(operation)
            paths[operation.path] = item
        }
        let document: StateValue = [
            "openapi": "3.1.0",
            "info": [
                "title": "Granary for operators", "version": .string(GranaryVersion.current),
                "description":
                    "Served on admin listeners only. Sessions are named by their stored ids, because the ids that clients hold are credentials.",
            ],
            "servers": [["url": .string(AdminOperation.root)]], "paths": .object(paths),
            "components": ["schemas": ["Problem": problem]],
        ]
        return document.json
    }()

    private static func described(_ operation: AdminOperation) -> StateValue {
        var json: StateValue = [
            "operationId": .string(operation.rawValue), "summary": .string(operation.summary),
            "responses": [
                "\(operation.status.code)": success(operation),
                "default": [
                    "description": "A problem.",
                    "content": [
                        "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]
                    ],
                ],
            ],
        ]
        let parameters =
            pathParameters(of: operation) + operation.query.map(described)
            + (operation.changesSomething ? [site] : [])
        if !parameters.isEmpty { json["parameters"] = .array(parameters) }
        if let body = body(of: operation) { json["requestBody"] = body }
        return json
    }

    private static func success(_ operation: AdminOperation) -> StateValue {
        guard operation.status != .noContent else { return ["description": "It is done."] }
        return ["description": "The result.", "content": ["application/json": ["schema": ["type": "object"]]]]
    }

    private static func pathParameters(of operation: AdminOperation) -> [StateValue] {
        operation.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            let name = String(part.dropFirst().dropLast())
            return [
                "name": .string(name), "in": "path", "required": true,
                "schema": name == "version" ? ["type": "integer", "minimum": 0] : ["type": "string"],
            ]
        }
    }

    private static func described(_ parameter: AdminParameter) -> StateValue {
        [
            "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
            "schema": parameter.isNumber ? ["type": "integer", "minimum": 0] : ["type": "string"],
        ]
    }

    /// The field that shows that no page of another site has caused a request.
    private static let site: StateValue = [
        "name": "Sec-Fetch-Site", "in": "header",
        "description":
            "`none` or `same-origin`, unless the request has an Authorization field or an Origin of this server. Browsers send it themselves.",
        "schema": ["enum": ["none", "same-origin"]],
    ]

    private static func body(of operation: AdminOperation) -> StateValue? {
        if operation == .sendInput {
            let description: StateValue = "The value of the input; no body for an input without a value."
            return ["description": description, "content": ["application/json": ["schema": true]]]
        }
        guard let members = operation.body else { return nil }
        var properties: [String: StateValue] = [:]
        for member in members { properties[member.name] = try? StateValue(json: member.schema.utf8) }
        let required = members.filter(\.isRequired).map { StateValue.string($0.name) }
        return [
            "required": .boolean(!required.isEmpty),
            "content": [
                "application/json": [
                    "schema": [
                        "type": "object", "properties": .object(properties), "required": .array(required),
                        "additionalProperties": false,
                    ]
                ]
            ],
        ]
    }

    private static let problem: StateValue = [
        "type": "object", "required": ["type", "title", "status", "detail"],
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"],
        ],
    ]
}
