import HTTPModel
package import MachineHost

/// The OpenAPI 3.1 document of a host: its routes and the schemas of its machines.
///
/// An input that several machines have is one operation, whose body is a value of one of them: a path cannot be limited to the
/// sessions of one machine. The document of a single machine has exact bodies.
package enum OpenAPIDocument {
    /// Returns the document as JSON.
    ///
    /// - Parameters:
    ///   - host: What the requester sees.
    ///   - title: The title of the document.
    ///   - version: The version of the program.
    package static func json(of host: HostDescription, title: String, version: String) -> [UInt8] {
        var json: [UInt8] = []
        value(of: host, title: title, version: version).append(to: &json)
        return json
    }

    static func value(of host: HostDescription, title: String, version: String) -> DocumentValue {
        var components = OpenAPIComponents()
        OpenAPISchemas.all.forEach { _ = components.add($0.name, $0.value) }
        let machines = host.machines.map { MachineComponents($0, in: &components) }
        let paths = OpenAPIPaths(machines: machines, access: host.access).all
        return .members([
            ("openapi", "3.1.0"),
            ("info", info(title, version)),
            ("servers", [["url": "/"]]),
            ("tags", .array(machines.map { ["name": .string($0.name), "description": .string($0.summary)] })),
            ("paths", .object(paths)),
            ("components", self.components(components, host.access)),
            ("security", security(host.access)),
        ])
    }

    private static func info(_ title: String, _ version: String) -> DocumentValue {
        [
            "title": .string(title), "version": .string(version),
            "description": """
            Machines are view models that run on the server. A client creates a session of a machine, sends inputs to it, and reads its \
            outputs or follows them as server-sent events.
            """,
        ]
    }

    private static func components(
        _ components: OpenAPIComponents, _ access: HostDescription.Access
    ) -> DocumentValue {
        .members([
            ("schemas", .object(components.schemas)),
            ("headers", .object(OpenAPIHeaders.all)),
            ("parameters", .object(OpenAPIParameters.all)),
            ("responses", .object(OpenAPIProblems.responses)),
            ("securitySchemes", access.authenticates ? schemes(access) : nil),
        ])
    }

    private static func schemes(_ access: HostDescription.Access) -> DocumentValue {
        .members([
            ("credentials", ["type": "http", "scheme": "bearer", "description": "A token or an API key."]),
            (
                "ticket",
                access.issuesTickets
                    ? [
                        "type": "apiKey", "in": "header", "name": "Authorization",
                        "description": "`Ticket` and a ticket of the session.",
                    ] : nil
            ),
            (
                "cookie",
                [
                    "type": "apiKey", "in": "cookie", "name": "granary",
                    "description": "The browser, if access.cookie is set.",
                ]
            ),
        ])
    }

    private static func security(_ access: HostDescription.Access) -> DocumentValue? {
        guard access.authenticates else { return nil }
        let empty = DocumentValue.array([])
        let none: [DocumentValue] = access.requiresCredentials ? [] : [.object([])]
        let ticket: [DocumentValue] = access.issuesTickets ? [["ticket": empty]] : []
        return .array(none + [["credentials": empty], ["cookie": empty]] + ticket)
    }
}
