import HTTPServer
import MachineHost
import MachineTesting
import StateCapture
import Testing

@testable import Granary

struct MachineListingTests {
    private func definition(showsWholeStore: Bool = false) -> MachineDefinition {
        var definition = MachineDefinition(
            name: "counter", summary: "Counts.",
            inputs: [
                InputDefinition(name: "increment", schema: .null) { _ in PreparedInput { _ in } },
                InputDefinition(
                    name: "add",
                    schema: .object([
                        .init(name: "by", schema: .integer(minimum: nil, maximum: nil), isRequired: true),
                        .init(name: "tag", schema: .optional(.strings(["a", "b"])), isRequired: false),
                    ])
                ) { _ in PreparedInput { _ in } },
            ],
            outputs: [
                OutputDefinition(name: "count", schema: .integer(minimum: nil, maximum: nil), kind: .value),
                OutputDefinition(name: "failed", schema: .string(format: nil), kind: .event),
                OutputDefinition(name: "rows", schema: .array(.dictionary(.number)), kind: .value),
            ], make: { _ in throw MachineRegistrationError(machine: "counter", detail: "not to be created") })
        definition.showsWholeStore = showsWholeStore
        return definition
    }

    @Test func `every input and output is listed with its type`() {
        #expect(
            MachineListing.lines(of: definition()).joined(separator: "\n") == """
                counter
                  Counts.
                  durability: memory
                  inputs
                    increment  null
                    add        {by: integer, tag?: "a" | "b" | null}
                  outputs
                    count   integer
                    failed  event of string
                    rows    [{string: number}]

                """)
    }

    @Test func `the listing says whether a whole store is exposed`() {
        #expect(
            MachineListing.lines(of: definition(showsWholeStore: true)).contains(
                "  outputs (all published properties of its store, including private ones)"))
    }

    @Test func `the listing names what keeps sessions from being stored`() {
        var machine = definition()
        machine.captureObstacles = []
        #expect(MachineListing.lines(of: machine, byDefault: .disk).contains("  durability: disk"))
        machine.captureObstacles = [CaptureObstacle(part: "Store.socket", type: "Socket")]
        #expect(
            MachineListing.lines(of: machine, byDefault: .disk).contains(
                "  durability: memory: Store.socket holds a value of type Socket, which is not Codable"))
        #expect(MachineListing.lines(of: machine).contains("  durability: memory"))
    }

    @Test func `a machine that requests a durability has it whatever the default is`() {
        var machine = definition()
        machine.captureObstacles = []
        machine.durability = .disk
        #expect(MachineListing.lines(of: machine).contains("  durability: disk"))
        #expect(MachineListing.lines(of: machine, byDefault: .process).contains("  durability: disk"))
        machine.durability = .memory
        #expect(MachineListing.lines(of: machine, byDefault: .disk).contains("  durability: memory"))
    }

    @Test func `the command prints the machines, or the reason why one cannot be hosted`() async {
        var (printed, complaints): ([String], [String]) = ([], [])
        let program = Program(
            arguments: ["machines", "--http.port", "9000"], environment: [:],
            identity: ProgramIdentity(name: "granary", version: nil, executable: ""), table: .standard,
            print: { printed.append($0) }, printError: { complaints.append($0) }, finish: { _ in nil })
        var ports: [Int] = []
        let status = await program.run(
            check: { _ in [] },
            machines: { configuration in
                ports.append(Int(configuration.server.port))
                return [definition()]
            }, serve: { _ in Issue.record("expected serve not to be called") })
        #expect(status == 0 && ports == [9000] && complaints.isEmpty)
        #expect(printed.first == "counter")
        let failed = await program.run(
            check: { _ in [] }, machines: { _ in throw MachineRegistrationError(machine: "m", detail: "it is broken") },
            serve: { _ in })
        #expect(failed == 1)
        #expect(complaints == ["granary: machine \"m\" cannot be hosted: it is broken"])
    }
}
