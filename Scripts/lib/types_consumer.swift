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

/// Sends the examples to a new session and returns the number of turns with a change, each of which was decoded.
///
/// An input that has no meaning yet, such as one to a screen that is not open, is refused and left out.
@MainActor
func changes<Schema: MachineSchema>(
    _ schema: Schema.Type, _ examples: [String: [JSON]], _ connection: GranaryConnection
) async throws -> Int {
    let machine = try await connection.machine(Exemplified<Schema>.self)
    let inputs = try JSONEncoder().encode(examples[Schema.machineName])
    var count = 0
    for input in try JSONDecoder().decode([Exemplified<Schema>.Inputs].self, from: inputs) {
        do {
            let change = try await machine.send(input)
            count += change.changed.isEmpty && change.events.isEmpty ? 0 : 1
        } catch GranaryError.refused(let problem) where problem.status == 409 {
            continue
        }
    }
    try await machine.delete()
    return count
}

@main
struct Consumer {
    /// Reads the examples of each machine from standard input.
    @MainActor
    static func main() async throws {
        guard let server = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
            fatalError("usage: consumer http://host:port < examples.json")
        }
        let text = FileHandle.standardInput.readDataToEndOfFile()
        let examples = try JSONDecoder().decode([String: [JSON]].self, from: text)
        let connection = GranaryConnection(to: server)
        for machine in machines {
            let count = try await changes(machine, examples, connection)
            guard count > 0 else { fatalError("expected a change of \(machine.machineName), got none") }
            print("\(machine.machineName): \(count) changes decoded")
        }
    }
}
