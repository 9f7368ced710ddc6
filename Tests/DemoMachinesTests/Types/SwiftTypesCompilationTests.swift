import CompilerTesting
import DemoMachines
import GranaryClient
import MachineHost
import MachineTesting
import Testing

@testable import Contract

/// The types that `granary types --swift` prints compile against the client.
struct SwiftTypesCompilationTests {
    private func contract(_ definitions: [MachineDefinition]) -> MachineContract { MachineContract(definitions) }

    private func check(_ source: String) throws {
        let verdict = try TypeChecker().check(source)
        #expect(verdict.isAccepted, "\(verdict.diagnostics)\n\(source)")
    }

    @Test func `the types of all demos compile, and so does code that uses them`() throws {
        let demos = DemoConformanceTests.demos + UnioConformanceTests.demos
        let types = SwiftTypes.text(of: contract(demos.map(\.definition)), hash: "abc")
        try check(
            types + """

                @MainActor func use(_ connection: GranaryConnection) async throws {
                    let counter = try await connection.machine(Counter.self, named: "main")
                    try await counter.send(.increment)
                    try await counter.send([.isOn(true), .decrement])
                    let count: Int = counter.outputs.count
                    let text: String = counter.toggleText
                    for await change in counter.changes { print(change.outputs.count, count, text) }
                }
                """)
    }

    @Test func `types with every kind of schema and awkward names compile`() throws {
        let list = JSONSchema.definitions(
            .optional(.reference("List")),
            [
                .init(
                    name: "List",
                    schema: .object([
                        .init(name: "next", schema: .optional(.reference("List")), isRequired: false),
                        .init(name: "children", schema: .array(.reference("List")), isRequired: true),
                    ])), .init(name: "Int", schema: .array(.reference("Int"))),
            ])
        let names = [
            "class", "self", "init", "default", "rows[].delete", "1st", "", "größe", "hashValue", "merge",
            "inputMessage", "read", "values", "value", "event", "message", "a\"b\\(c)\n", "in", "Type", "description",
        ]
        let members = names.map {
            JSONSchema.Member(name: $0, schema: .optional(.strings(["a", "class", "\($0)!"])), isRequired: true)
        }
        typealias Input = MachineContract.Input
        typealias Output = MachineContract.Output
        var machine = MachineContract.Machine(name: "string", summary: "Awkward.", parameters: .object(members))
        let number = JSONSchema.optional(.integer(minimum: 0, maximum: .max))
        machine.inputs = names.map { Input(name: $0, schema: number) }
        machine.inputs += [Input(name: "list", schema: list), Input(name: "plain", schema: .null)]
        machine.outputs = names.map { Output(name: $0, kind: .value, schema: .number) }
        let schemas: KeyValuePairs<String, JSONSchema> = [
            "string": .strings(["a", "b c"]), "list": list, "object": .open(members), "any": .dictionary(.any),
            "empty": .object([]),
        ]
        machine.outputs += schemas.map { Output(name: $0.key, kind: .value, schema: $0.value, isAlwaysPresent: true) }
        machine.outputs += names.map { Output(name: $0 + "Event", kind: .event, schema: .array(.boolean)) }
        machine.outputs.append(Output(name: "tick", kind: .event, schema: .null))
        var contract = contract([])
        contract.machines = [machine, MachineContract.Machine(name: "int", summary: "Has nothing.")]
        try check(SwiftTypes.text(of: contract, hash: "abc"))
    }

    @Test func `an input of another type does not compile`() throws {
        let types = SwiftTypes.text(of: contract([MachineCase.counter.definition]), hash: "abc")
        let verdict = try TypeChecker().check(types + "\nlet input = Counter.Inputs.isOn(7)\n")
        #expect(!verdict.isAccepted)
        #expect(verdict.diagnostics.contains("Bool"))
    }
}
