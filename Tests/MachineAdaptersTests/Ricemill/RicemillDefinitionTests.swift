import HTTPModel
import Log
import Ricemill
import RicemillAdapter
import Testing

@testable import MachineHost

/// Definitions of Ricemill machines.
struct RicemillDefinitionTests {
    private func definition(
        events: Set<String> = ["error"], hidden: Set<String> = ["secret", "breaker"]
    ) throws -> MachineDefinition {
        try MachineDefinition.ricemill("kitchen", summary: "Everything.", events: events, hidden: hidden) { _ in
            KitchenMachine(input: .init(), store: .init(), extra: .init())
        }
    }

    private func send(_ input: String, _ json: String = "null", to machine: any HostedMachine) throws {
        let input = try #require(try definition().inputs.first { $0.name == input })
        try input.prepare(Array(json.utf8)[...]).run(machine)
    }

    private func shown(_ output: String, of machine: any HostedMachine) throws -> String {
        let index = try #require(try definition().outputs.firstIndex { $0.name == output })
        var json: [UInt8] = []
        try machine.outputs.cells[index].encode(into: &json)
        return String(decoding: json, as: UTF8.self)
    }

    private func refusal<M: MachineType & SendableMetatype>(
        events: Set<String> = [], hidden: Set<String> = [], _ make: @escaping @Sendable (SessionContext) throws -> M
    ) -> String {
        do throws(MachineRegistrationError) {
            _ = try MachineDefinition.ricemill("m", summary: "", events: events, hidden: hidden, make: make)
            return "accepted"
        } catch {
            return error.detail
        }
    }

    @Test func `inputs are subjects and bindable properties, with their schemas`() throws {
        let inputs = try definition().inputs
        #expect(inputs.map(\.name) == ["increment", "add", "shout", "fail", "isOn"])
        #expect(inputs.map(\.schema).prefix(1) == [.null])
        #expect(inputs.last?.schema == .boolean)
    }

    @Test func `outputs are publishers and published properties, in the order of the source`() throws {
        let outputs = try definition().outputs
        #expect(outputs.map(\.name) == ["count", "error", "level", "said", "rang", "broken"])
        #expect(outputs.map(\.kind) == [.value, .event, .value, .event, .event, .value])
        #expect(outputs.map(\.schema)[2...4] == [.number, .string(format: nil), .null])
    }

    @Test func `an output shows the committed value for every kind of storage`() throws {
        let machine = try definition().make(.inert())
        #expect(try shown("count", of: machine) == "0")
        #expect(try shown("level", of: machine) == "0.5")
        try send("increment", to: machine)
        try send("add", "40", to: machine)
        try send("isOn", "true", to: machine)
        try send("shout", "\"hey\"", to: machine)
        #expect(try shown("count", of: machine) == "42")
        #expect(try shown("level", of: machine) == "1")
    }

    @Test func `a publisher that has sent nothing has no value, a failed one keeps its last value`() throws {
        let machine = try definition().make(.inert())
        #expect(try shown("broken", of: machine) == "")
        try send("fail", to: machine)
        #expect(try shown("broken", of: machine) == "7")
        try send("fail", to: machine)
        #expect(try shown("broken", of: machine) == "7")
    }

    @Test func `events are emitted in order and are never part of the outputs`() throws {
        let machine = try definition().make(.inert())
        try send("shout", "\"a\"", to: machine)
        try send("increment", to: machine)
        #expect(String(decoding: machine.outputs.emissions.bytes, as: UTF8.self) == "\"a\"\"a\"null")
        #expect(machine.outputs.emissions.entries.map(\.output) == [3, 1, 4])
        #expect(try shown("said", of: machine) == "")
        #expect(try shown("error", of: machine) == "")
    }

    @Test func `a mismatched value is rejected before the input runs`() throws {
        let add = try #require(try definition().inputs.first { $0.name == "add" })
        let expected = InputMismatch(pointer: "", detail: "expected a whole number, got the string \"1\"")
        #expect(throws: expected) { try add.prepare(Array("\"1\"".utf8)[...]) }
    }

    @Test func `two machines of one definition share no state`() throws {
        let definition = try definition()
        let (one, two) = (try definition.make(.inert()), try definition.make(.inert()))
        try send("increment", to: one)
        #expect(try shown("count", of: one) == "2")
        #expect(try shown("count", of: two) == "0")
    }

    @Test func `a machine that has ended is released and accepts no inputs`() throws {
        weak var kept: KitchenMachine?
        let made = Mutex<KitchenMachine?>(nil)
        let definition = try MachineDefinition.ricemill(
            "kitchen", summary: "", events: ["error"], hidden: ["secret", "breaker"]
        ) { _ in
            let machine = KitchenMachine(input: .init(), store: .init(), extra: .init())
            made.value = machine
            return machine
        }
        let hosted = try definition.make(.inert())
        kept = made.value
        made.value = nil
        #expect(kept != nil)
        hosted.end()
        #expect(kept == nil)
        try send("increment", to: hosted)
    }

    /// Sendable because a test uses it on one thread only.
    private final class Mutex<Value>: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    @Test func `a machine that cannot be hosted is rejected with the name of the missing part`() {
        #expect(
            refusal { _ in UnreadableMachine(input: .init(), store: .init(), extra: .init()) }
                == "the values of its input \"show\", of type Opaque, cannot be read from JSON: Opaque must be Decodable"
        )
        #expect(
            refusal { _ in KitchenMachine(input: .init(), store: .init(), extra: .init()) }
                == "the values of its output \"secret\", of type Opaque, cannot be written as JSON: "
                + "Opaque must be Encodable")
        #expect(
            refusal { _ in UnpolishedMachine(input: .init(), store: .init(), extra: .init()) }
                .contains("UnpolishedMachine has no `static func polish"))
    }

    @Test func `names of ports that do not exist are rejected`() {
        let hidden: Set<String> = ["secret", "breaker"]
        #expect(
            refusal(events: ["eror"], hidden: hidden) { _ in
                KitchenMachine(input: .init(), store: .init(), extra: .init())
            } == "it has no output \"eror\" to make an event")
        #expect(
            refusal(hidden: hidden.union(["x"])) { _ in
                KitchenMachine(input: .init(), store: .init(), extra: .init())
            } == "it has no property \"x\" to hide")
        #expect(
            refusal(events: ["plain"]) { _ in
                Plain(input: .init(), store: .init(), extra: .init(output: .init()))
            } == "its output \"plain\" cannot be an event: it is not a publisher")
    }

    struct NoClient: Error, CustomStringConvertible {
        var description: String { "no client" }
    }

    @Test func `a factory that throws is rejected with its reason`() {
        let detail = refusal { _ -> KitchenMachine in throw NoClient() }
        #expect(detail == "its factory failed: no client")
    }
}
