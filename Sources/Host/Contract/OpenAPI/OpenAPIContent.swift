/// The bodies and responses of operations.
enum OpenAPIContent {
    static func body(_ body: MachineComponents.Body) -> DocumentValue {
        [
            "required": .bool(body.isRequired),
            "content": ["application/json": ["schema": body.schema, "example": body.example]],
        ]
    }

    static func body(_ schema: DocumentValue) -> DocumentValue {
        ["required": true, "content": ["application/json": ["schema": schema]]]
    }

    static func json(
        _ status: Int, _ description: String, _ schema: DocumentValue, example: DocumentValue? = nil,
        fields: [String] = []
    ) -> DocumentValue.Member {
        let content = DocumentValue.members([("schema", schema), ("example", example)])
        return response(status, description, ["application/json": content], fields: fields)
    }

    static func response(
        _ status: Int, _ description: String, _ content: DocumentValue?, fields: [String] = []
    ) -> DocumentValue.Member {
        .init(
            name: "\(status)",
            value: .members([
                ("description", .string(description)),
                ("headers", fields.isEmpty ? nil : OpenAPIHeaders.references(fields)), ("content", content),
            ]))
    }

    static func empty(_ description: String) -> DocumentValue.Member { response(204, description, nil) }

    static var notModified: DocumentValue.Member {
        response(304, "The client has the current content.", nil, fields: ["ETag"])
    }

    // Without a schema, which would be that of the whole text.
    static let events = """
        A stream has the events `snapshot` (all outputs), `resume` (the position after which the stream continues), `change` (the outputs \
        that one turn has changed) and `end` (the reason). The `id` of an event is a position for Last-Event-ID.
        """
}
