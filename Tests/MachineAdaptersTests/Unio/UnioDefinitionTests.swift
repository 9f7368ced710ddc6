import CombineCore
import Locking
import Testing
import Unio
import UnioAdapter

@testable import MachineHost

/// Definitions of Unio streams.
struct UnioDefinitionTests {
    private func definition(
        events: Set<String> = [], values: Set<String> = ["last"], hidden: Set<String> = ["secret"]
    ) throws -> MachineDefinition {
        try .unio("pantry", summary: "Everything.", events: events, values: values, hidden: hidden) { _ in
            PantryStream(input: .init(), state: .init(), extra: .init())
        }
    }

    /// Creates a machine as a session does, on a main queue that never runs anything.
    private func make(_ given: MachineDefinition? = nil) throws -> any HostedMachine {
        let definition = try given ?? definition()
        return try MainContext.with(IdleMain()) { try definition.make(.inert()) }
    }

    /// A substitute for the main queue that drops all scheduled work.
    private final class IdleMain: MainSubstitute {
        var now: Duration { .zero }
        func schedule(_ action: @escaping () -> Void) {}
        func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
            AnyCancellable {}
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

    private func refusal<S: UnioStreamType & SendableMetatype>(
        events: Set<String> = [], values: Set<String> = [], hidden: Set<String> = [],
        _ make: @escaping @Sendable (SessionContext) throws -> S
    ) -> String {
        do throws(MachineRegistrationError) {
            _ = try MachineDefinition.unio("m", summary: "", events: events, values: values, hidden: hidden, make: make)
            return "accepted"
        } catch {
            return error.detail
        }
    }

    private func pantryRefusal(
        events: Set<String> = [], values: Set<String> = [], hidden: Set<String> = ["secret"]
    ) -> String {
        refusal(events: events, values: values, hidden: hidden) { _ in
            PantryStream(input: .init(), state: .init(), extra: .init())
        }
    }

    @Test func `inputs are relays and subjects, with their elements' schemas`() throws {
        let inputs = try definition().inputs
        #expect(inputs.map(\.name) == ["increment", "add", "text", "level", "say", "fail"])
        #expect(inputs[0].schema == .null)
        #expect(inputs[4].schema == .string(format: nil))
    }

    @Test func `outputs with a current value are values, others events`() throws {
        let outputs = try definition().outputs
        #expect(
            outputs.map(\.name) == ["count", "text", "mirrored", "level", "said", "rang", "last", "isEven", "label"])
        #expect(
            outputs.map(\.kind) == [.value, .value, .value, .value, .event, .event, .value, .value, .value])
        #expect(outputs.map(\.schema)[3...5] == [.number, .string(format: nil), .null])
        #expect(outputs[7].schema == .boolean)
    }

    @Test func `an observable that emits on subscription is a value, and can be registered as an event`() throws {
        let plain = try MachineDefinition.unio("plain", summary: "") { _ in
            PlainCounterStream(input: .init(), state: .init(), extra: .init())
        }
        #expect(plain.outputs.map(\.kind) == [.value])
        #expect(try definition(events: ["text", "count"]).outputs.prefix(2).map(\.kind) == [.event, .event])
    }

    @Test func `an output shows the committed value for every kind of storage`() throws {
        let machine = try make()
        #expect(try shown("count", of: machine) == "0")
        #expect(try shown("level", of: machine) == "0.5")
        #expect(try shown("isEven", of: machine) == "true")
        #expect(try shown("label", of: machine) == "\"fixed\"")
        #expect(try shown("last", of: machine) == "")
        try send("increment", to: machine)
        try send("add", "39", to: machine)
        try send("level", "1", to: machine)
        try send("say", "\"hey\"", to: machine)
        #expect(try shown("count", of: machine) == "41")
        #expect(try shown("mirrored", of: machine) == "41")
        #expect(try shown("isEven", of: machine) == "false")
        #expect(try shown("level", of: machine) == "1")
        #expect(try shown("last", of: machine) == "\"hey\"")
    }

    @Test func `a value that is corrected during delivery is shown corrected`() throws {
        let machine = try make()
        try send("add", "1000", to: machine)
        #expect(try shown("count", of: machine) == "100")
        #expect(try shown("mirrored", of: machine) == "100")
    }

    @Test func `a failed output has no value to encode, and the stream continues`() throws {
        let machine = try make()
        try send("fail", to: machine)
        #expect(try shown("level", of: machine) == "")
        try send("increment", to: machine)
        #expect(try shown("count", of: machine) == "2")
    }

    @Test func `events are emitted in order and are never part of the outputs`() throws {
        let machine = try make()
        try send("say", "\"a\"", to: machine)
        try send("increment", to: machine)
        try send("text", "null", to: machine)
        try send("text", "\"b\"", to: machine)
        #expect(String(decoding: machine.outputs.emissions.bytes, as: UTF8.self) == "\"a\"null\"b\"")
        #expect(machine.outputs.emissions.entries.map(\.output) == [4, 5, 4])
        #expect(try shown("said", of: machine) == "")
    }

    @Test func `a mismatched value is rejected before the input runs`() throws {
        let add = try #require(try definition().inputs.first { $0.name == "add" })
        let expected = InputMismatch(pointer: "", detail: "expected a whole number, got the string \"1\"")
        #expect(throws: expected) { try add.prepare(Array("\"1\"".utf8)[...]) }
    }

    @Test func `two streams of one definition share no state`() throws {
        let definition = try definition()
        let (one, two) = (try make(definition), try make(definition))
        try send("increment", to: one)
        #expect(try shown("count", of: one) == "2")
        #expect(try shown("count", of: two) == "0")
    }

    @Test func `a stream that has ended is released and accepts no inputs`() throws {
        let ended = Lock(0)
        let definition = try MachineDefinition.unio("patient", summary: "") { _ in
            PatientStream(
                input: .init(), state: .init(), extra: .init(ended: { ended.withLock { $0 += 1 } }))
        }
        let before = ended.withLock { $0 }
        #expect(before == 1, "the inspected stream should have been released")
        let hosted = try make(definition)
        hosted.end()
        #expect(ended.withLock { $0 } == 2)
        try definition.inputs[0].prepare(Array("\"x\"".utf8)[...]).run(hosted)
    }

    @Test func `a stream that cannot be hosted is rejected with the name of the missing part`() {
        #expect(
            refusal { _ in UnreadableStream(input: .init(), state: .init(), extra: .init()) }
                == "the values of its input \"show\", of type Opaque, cannot be read from JSON: Opaque must be Decodable"
        )
        #expect(
            pantryRefusal(hidden: [])
                == "the values of its output \"secret\", of type Opaque, cannot be written as JSON: "
                + "Opaque must be Encodable")
    }

    @Test func `registration options that cannot be applied are rejected`() {
        #expect(pantryRefusal(events: ["eror"]) == "it has no output \"eror\" to make an event")
        #expect(pantryRefusal(values: ["eror"]) == "it has no output \"eror\" to make a value")
        #expect(pantryRefusal(hidden: ["secret", "x"]) == "it has no property \"x\" to hide")
        #expect(
            pantryRefusal(events: ["said"], values: ["said"])
                == "its output \"said\" cannot be both an event and a value")
        #expect(
            pantryRefusal(events: ["isEven"])
                == "its output \"isEven\" cannot be an event: it is a computed value, not a stream")
        #expect(
            pantryRefusal(events: ["label"]) == "its output \"label\" cannot be an event: it is not a publisher")
    }

    struct NoClient: Error, CustomStringConvertible {
        var description: String { "no client" }
    }

    @Test func `a factory that throws is rejected with its reason`() {
        let detail = refusal { _ -> PantryStream in throw NoClient() }
        #expect(detail == "its factory failed: no client")
    }
}
