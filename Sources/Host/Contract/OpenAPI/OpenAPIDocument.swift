package import MachineHost

/// The OpenAPI 3.1 documents of a host and of its machines.
///
/// Each machine has a document of its own, because several machines may have an input with one name, which would be one path.
package enum OpenAPIDocument {
    /// Returns a document as JSON.
    ///
    /// - Parameters:
    ///   - host: What the document is about.
    ///   - title: The name of the server.
    package static func json(of host: HostDescription, title: String, version: String) -> [UInt8] {
        var json: [UInt8] = []
        value(of: host, title: title, version: version).append(to: &json)
        return json
    }

    static func value(of host: HostDescription, title: String, version: String) -> DocumentValue {
        let components = OpenAPIComponents()
        OpenAPISchemas.all.forEach { _ = components.add($0.name, $0.value) }
        let head: (info: DocumentValue, tags: DocumentValue?)
        let paths: [DocumentValue.Member]
        switch host.subject {
        case .host(let machines):
            head = (info(title, version, about), .array(machines.map(tag)))
            paths = HostPaths.all
        case .machine(let machine):
            let machine = MachineComponents(machine, in: components)
            head = (info("\(title): \(machine.name)", version, machine.summary), nil)
            paths = MachinePaths(machine: machine, issuesTickets: host.access.issuesTickets).all
        }
        return .members([
            ("openapi", "3.1.0"), ("info", head.info), ("servers", [["url": "/"]]), ("tags", head.tags),
            ("paths", .object(paths)), ("components", self.components(components, host.access)),
            ("security", security(host.access)),
        ])
    }

    /// A machine, with the place of its document.
    private static func tag(_ machine: MachineDefinition) -> DocumentValue {
        [
            "name": .string(machine.name), "description": .string(machine.summary),
            "externalDocs": [
                "description": "The OpenAPI document of the machine.",
                "url": .string("/v1/machines/\(machine.name)/openapi.json"),
            ],
        ]
    }

    private static let about = """
        Machines are view models that run on the server. A client creates a session of a machine, sends inputs to it, and reads its \
        outputs or follows them as server-sent events. Each machine has an OpenAPI document of its own: see the tags.
        """

    private static func info(_ title: String, _ version: String, _ description: String) -> DocumentValue {
        ["title": .string(title), "version": .string(version), "description": .string(description)]
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
