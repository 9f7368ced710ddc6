import CombineCore
import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// A session without a host: one machine in virtual time, whose captured state is stored after each turn, as by a
/// journal.
final class CapturedSession {
    let definition: MachineDefinition
    let loop = VirtualEventLoop()
    let context: SessionContext
    let registry: StateRegistry
    private(set) var machine: any HostedMachine
    /// The captured state, by key.
    private(set) var stored: [String: [UInt8]] = [:]
    /// The number of states that the last turn wrote.
    private(set) var changes = 0
    /// The events since the session began or was restored.
    private(set) var events: [String] = []
    private let main: TestMain

    /// Creates a new session.
    convenience init(_ definition: MachineDefinition, seed: UInt64 = 1, wallTime: Int64 = 1_700_000_000_000_000_000)
        throws
    {
        let registry = StateRegistry(clockOffset: wallTime - CapturedSession.start)
        registry.seed = seed
        try self.init(definition, registry)
        for cell in machine.outputs.cells { cell.isMarked = true }
        endTurn()
        events = []
    }

    /// Restores a session from the stored state of another one, which is discarded.
    convenience init(restoring other: CapturedSession) throws {
        other.end()
        let registry = StateRegistry(
            restoring: other.stored.mapValues { $0[...] }, clockOffset: other.wallTime - CapturedSession.start)
        try self.init(other.definition, registry)
        stored = other.stored
        for (cell, former) in zip(machine.outputs.cells, other.machine.outputs.cells) {
            #expect(!cell.isMarked, "an output was marked by the wiring")
            cell.shown = former.shown
        }
        #expect(!machine.outputs.isDirty)
        let unknown = MainContext.with(main) { registry.resume() }
        #expect(unknown == [])
        #expect(registry.mismatches == [])
        #expect(registry.obstacles == [])
        turn { machine in machine.resumed(registry.interruptedWork) }
    }

    private init(_ definition: MachineDefinition, _ registry: StateRegistry) throws {
        self.definition = definition
        self.registry = registry
        context = SessionContext(loop: loop)
        context.stateRegistry = registry
        main = TestMain(loop)
        machine = try MainContext.with(main) { [context] in try definition.wire(context) }
        main.ended = { [unowned self] in endTurn() }
    }

    private static let start: Int64 = 1_000_000_000_000

    /// The wall time in nanoseconds since 1970.
    var wallTime: Int64 { registry.clockOffset + Int64(loop.now.nanoseconds) }

    /// The outputs that clients see, by name.
    var outputs: [String: String] {
        var found: [String: String] = [:]
        for cell in machine.outputs.cells where !cell.shown.isEmpty {
            found[definition.outputs[cell.index].name] = String(decoding: cell.shown, as: UTF8.self)
        }
        return found
    }

    /// Sends an input as a turn.
    func send(_ name: String, _ json: String = "null") throws {
        let input = try #require(definition.inputs.first { $0.name == name })
        let prepared = try input.prepare(Array(json.utf8)[...])
        var refusal: InputRefusal?
        turn { machine in
            do throws(InputRefusal) { try prepared.run(machine) } catch { refusal = error }
        }
        if let refusal { events.append("refused: \(refusal.reason)") }
    }

    /// Lets time pass.
    func advance(by duration: Duration) {
        loop.advance(by: duration)
    }

    func end() {
        MainContext.with(main) { machine.end() }
        main.ended = {}
        context.stateRegistry = nil
    }

    private func turn(_ work: (any HostedMachine) -> Void) {
        MainContext.with(main) { work(machine) }
        endTurn()
    }

    private func endTurn() {
        let board = machine.outputs
        do {
            try board.takeEmissions()?.forEach { output, _ in events.append(definition.outputs[output].name) }
            for cell in board.cells where cell.isMarked || cell.isReadEveryTurn {
                cell.isMarked = false
                var json: [UInt8] = []
                _ = try cell.update(into: &json)
            }
            var bytes: [UInt8] = []
            changes = try registry.appendChanges(to: &bytes)
            for (key, json) in StateChanges(bytes[...]) { stored[key] = Array(json) }
        } catch {
            Issue.record(error)
        }
    }
}

/// The main queue of a captured session.
private final class TestMain: MainSubstitute, @unchecked Sendable {
    // Sendable: used on the test's thread only.
    private let loop: VirtualEventLoop
    var ended: () -> Void = {}
    var attachment: AnyObject?

    init(_ loop: VirtualEventLoop) {
        self.loop = loop
    }

    var now: Duration { .nanoseconds(Int64(loop.now.nanoseconds)) }

    func schedule(_ action: @escaping () -> Void) {
        _ = schedule(after: .zero, action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        let timer = loop.schedule(after: interval) { [self] in
            MainContext.with(self) { action() }
            ended()
        }
        return AnyCancellable { timer.cancel() }
    }
}

/// Compares a machine with a twin that is captured, discarded and restored between its turns.
struct TwinTest {
    /// The inputs with values to choose from.
    var inputs: [(name: String, values: [String])]
    var steps = 60

    /// Runs random inputs and delays, and compares the outputs after each.
    func run(_ definition: MachineDefinition, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let original = try CapturedSession(definition, seed: seed)
        var twin = try CapturedSession(definition, seed: seed)
        var trace: [String] = []
        var events: [String] = []
        for step in 0..<steps {
            if Int.random(in: 0..<4, using: &random) == 0 {
                let delay = Duration.milliseconds(Int.random(in: 1...400, using: &random))
                trace.append("\(delay)")
                original.advance(by: delay)
                twin.advance(by: delay)
            } else if let input = inputs.randomElement(using: &random),
                let value = input.values.randomElement(using: &random)
            {
                trace.append("\(input.name) \(value)")
                try original.send(input.name, value)
                try twin.send(input.name, value)
            }
            try #require(twin.outputs == original.outputs, "seed \(seed), step \(step): \(trace)")
            try #require(events + twin.events == original.events, "seed \(seed), step \(step): \(trace)")
            if Int.random(in: 0..<3, using: &random) == 0 {
                trace.append("restore")
                events += twin.events
                twin = try CapturedSession(restoring: twin)
                try #require(twin.outputs == original.outputs, "seed \(seed), step \(step): \(trace)")
            }
        }
    }
}
