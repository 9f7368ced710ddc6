import Foundation
import GranaryClient

/// A machine whose outputs and events have the printed types. Its inputs are the examples of its OpenAPI document.
enum Exemplified<Schema: MachineSchema>: MachineSchema {
    typealias Outputs = Schema.Outputs
    typealias Events = Schema.Events

    struct Inputs: MachineInputs, Decodable {
        let name: String
        let value: JSON

        func inputMessage() -> InputMessage { InputMessage(name, value) }
    }

    static var machineName: String { Schema.machineName }
}

/// Sends the examples to a new session and waits for a turn that changes outputs or emits events. Returns what has changed, decoded.
///
/// An input that has no meaning yet, such as one to a screen that is not open, is refused and left out.
@MainActor
func firstChange<Schema: MachineSchema>(
    _ schema: Schema.Type, _ examples: [String: [JSON]], _ connection: GranaryConnection
) async throws -> Set<String> {
    let machine = try await connection.machine(Exemplified<Schema>.self)
    let inputs = try JSONEncoder().encode(examples[Schema.machineName])
    var changes = machine.changes.makeAsyncIterator()
    for input in try JSONDecoder().decode([Exemplified<Schema>.Inputs].self, from: inputs) {
        do {
            try await machine.send(input)
        } catch GranaryError.refused(let problem) where problem.status == 409 {
            continue
        }
    }
    // Some follow their inputs late, such as a search that waits for the end of typing.
    while let change = await changes.next() {
        if change.kind == .turn, !change.changed.isEmpty || !change.events.isEmpty {
            try await machine.delete()
            return change.changed
        }
    }
    fail("expected a change of \(Schema.machineName), got \(machine.status)")
}

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    exit(1)
}

@main
struct Consumer {
    /// Reads the examples of each machine from standard input.
    @MainActor
    static func main() async throws {
        guard let server = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            fail("usage: consumer http://host:port < examples.json")
        }
        let text = FileHandle.standardInput.readDataToEndOfFile()
        let examples = try JSONDecoder().decode([String: [JSON]].self, from: text)
        let connection = GranaryConnection(to: server)
        for machine in machines {
            let changed = try await firstChange(machine, examples, connection)
            print("\(machine.machineName): \(changed.sorted()) decoded")
        }
    }
}
