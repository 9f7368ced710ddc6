import HTTPModel
import MachineHost

extension OpenAPIPaths {
    /// The errors of a request that runs a turn.
    private static let problems = [409, 410, 412, 413, 415, 422, 507]

    /// An input of one or more machines.
    private struct SharedInput {
        let name: String
        var machines: [MachineComponents] = []
        var schemas: [DocumentValue] = []
        var needsValue = true
    }

    /// The path of each input. An input that several machines have is one path.
    var inputs: [DocumentValue.Member] {
        var shared: [SharedInput] = []
        var places: [String: Int] = [:]
        for machine in machines {
            for input in machine.inputs {
                let place = places[input.name] ?? shared.count
                if place == shared.count {
                    places[input.name] = place
                    shared.append(SharedInput(name: input.name))
                }
                shared[place].machines.append(machine)
                shared[place].schemas.append(input.schema)
                shared[place].needsValue = shared[place].needsValue && input.needsValue
            }
        }
        return shared.map { input in
            // A name may contain braces, which would be a template, and other characters that a path may not.
            let name = PercentEncoding.encode(input.name)
            return .init(name: "/v1/sessions/{session}/inputs/\(name)", value: path(of: input))
        }
    }

    private func path(of input: SharedInput) -> DocumentValue {
        let names = input.machines.map(\.name)
        return [
            "parameters": OpenAPIParameters.references(["session"]),
            "post": [
                "operationId": .string("input \(input.name)"), "tags": .strings(names),
                "summary": .string("Sends \(input.name) to a session of \(names.joined(separator: ", "))."),
                "parameters": OpenAPIParameters.references(["Idempotency-Key", "If-Match", "If-None-Match"]),
                "requestBody": body(any(of: input.schemas), isRequired: input.needsValue),
                "responses": OpenAPIProblems.responses([turn(input.machines)], and: OpenAPIPaths.problems),
            ],
        ]
    }

    /// `POST /v1/sessions/{session}/inputs`.
    var batch: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "post": [
                "operationId": "batch", "summary": "Sends several inputs as one turn, in order.",
                "parameters": OpenAPIParameters.references(["Idempotency-Key", "If-Match", "If-None-Match"]),
                "requestBody": body(any(of: machines.map(\.batch)), isRequired: true),
                "responses": OpenAPIProblems.responses([turn(machines)], and: OpenAPIPaths.problems),
            ],
        ]
    }

    /// `/v1/sessions/{session}/tickets`.
    var tickets: DocumentValue {
        [
            "parameters": OpenAPIParameters.references(["session"]),
            "post": [
                "operationId": "issueTicket", "summary": "Issues a ticket for the session, or renews one.",
                "requestBody": body(.component("schemas", "TicketTerms"), isRequired: true),
                "responses": OpenAPIProblems.responses(
                    [json(201, "The ticket.", .component("schemas", "Ticket"))], and: [410, 413, 415, 422, 507]),
            ],
            "delete": [
                "operationId": "revokeTickets", "summary": "Revokes all tickets of the session.",
                "responses": OpenAPIProblems.responses([empty("The tickets are invalid.")], and: [410, 507]),
            ],
        ]
    }

    /// The response to inputs: the version and what the turn has changed.
    private func turn(_ machines: [MachineComponents]) -> DocumentValue.Member {
        // A change that is too large to be remembered is null when the response is repeated.
        let changes: DocumentValue = ["anyOf": .array(machines.map(\.changes) + [["type": "null"]])]
        let schema: DocumentValue = [
            "type": "object", "required": ["version", "changes"],
            "properties": ["version": OpenAPISchemas.version, "changes": changes],
        ]
        return json(200, "The turn has run.", schema, fields: ["Idempotency-Replayed"])
    }

    private func any(of schemas: [DocumentValue]) -> DocumentValue {
        switch schemas.count {
        case 0: ["not": [:]]
        case 1: schemas[0]
        default: ["anyOf": .array(schemas)]
        }
    }
}
