import CombineCore
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@testable import GranaryClient

@MainActor
struct RemoteMachineTests {
    @Test func `a machine has its outputs from the beginning, and is live when its stream shows them`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        #expect(machine.outputs == Tally.Outputs(values: [], total: 0))
        #expect(machine.status == .connecting)
        await world.pass(.seconds(1))
        #expect(machine.status == .live)
        #expect(machine.id.count == 22)
    }

    @Test func `an input returns its turn, and the outputs have it already`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        let change = try await world.finish { try await machine.send(.add(7)) }
        #expect(change.kind == .turn)
        #expect(change.version == 1)
        #expect(change.changed == ["values", "total"])
        #expect(change.outputs == Tally.Outputs(values: [7], total: 7))
        #expect(change.events == [.added(7)])
        #expect(machine.outputs.values == [7])
        #expect(machine.version == 1)
        // An output is also a member of the machine.
        #expect(machine.total == 7)
    }

    @Test func `inputs run in the order of the calls`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        let sends = (1...20).map { number in Task { try await machine.send(.add(number)) } }
        try await world.finish { for send in sends { _ = try await send.value } }
        #expect(machine.outputs.values == Array(1...20))
    }

    @Test func `a batch is one turn`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        let change = try await world.finish { try await machine.send([.add(1), .note("a\"b\n"), .add(2)]) }
        #expect(change.version == 1)
        #expect(change.outputs == Tally.Outputs(values: [1, 2], total: 3, note: "a\"b\n"))
        let cleared = try await world.finish { try await machine.send([.note(nil), .clear]) }
        #expect(cleared.outputs == Tally.Outputs(values: [], total: 0))
    }

    @Test func `a refused input throws what the server says, and the next one runs`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        var results: [Result<MachineChange<Tally>, any Error>] = []
        machine.enqueue(1000, Array("\"x\"".utf8), "/inputs/add") { results.append($0) }
        machine.enqueue(1001, Array("2".utf8), "/inputs/add") { results.append($0) }
        await world.pass(.seconds(1))
        #expect(results.count == 2)
        #expect {
            try results[0].get()
        } throws: { error in
            guard case GranaryError.refused(let problem) = error else { return false }
            return problem.status == 422 && problem.kind == "invalid-value" && problem.detail.contains("whole number")
        }
        #expect(try results[1].get().outputs.values == [2])
        await #expect {
            try await world.finish { try await machine.connection.machine(Unhosted.self) }
        } throws: { error in
            if case GranaryError.refused(let problem) = error { problem.status == 404 } else { false }
        }
    }

    @Test func `a response behind the stream has the outputs of later turns, not earlier values`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        // The response to the input takes longer than the stream, and than another turn.
        world.transport.fault = { $0.method == "POST" ? .slowResponse(.seconds(5)) : nil }
        let send = Task { try await machine.send(.note("first")) }
        await world.pass(.milliseconds(1))
        await world.pass(.seconds(1))
        _ = world.transport.harness.send(.post, "/v1/sessions/\(machine.id)/inputs/note", body: "\"second\"")
        let change = try await world.finish { try await send.value }
        #expect(change.version == 1)
        #expect(change.changed == ["note"])
        #expect(change.outputs.note == "second")
        #expect(machine.outputs.note == "second")
    }

    @Test func `a turn is published once, with all its outputs at once, and its events`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        var (shown, events, totals, announcements): ([Tally.Outputs], [Tally.Events], [Int], Int) = ([], [], [], 0)
        let subscriptions: [AnyCancellable] = [
            machine.$outputs.dropFirst().sink { shown.append($0) }, machine.events.sink { events.append($0) },
            machine.publisher(for: \.total).sink { totals.append($0) },
            machine.objectWillChange.sink { announcements += 1 },
        ]
        for number in [1, 2] { _ = try await world.finish { try await machine.send(.add(number)) } }
        await world.pass(.seconds(1))
        #expect(shown == [Tally.Outputs(values: [1], total: 1), Tally.Outputs(values: [1, 2], total: 3)])
        #expect(events == [.added(1), .added(2)])
        #expect(totals == [0, 1, 3])
        #expect(announcements == 2)
        _ = subscriptions
    }

    @Test func `changes by others arrive`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        _ = world.transport.harness.send(.post, "/v1/sessions/\(machine.id)/inputs/add", body: "5")
        await world.pass(.seconds(1))
        #expect(machine.outputs.values == [5])
    }

    @Test func `a sequence has each change in order, and ends with the session`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        let changes = machine.changes
        let collected = Task { @MainActor in
            var collected: [[Int]] = []
            for await change in changes { collected.append(change.outputs.values) }
            return collected
        }
        for number in 1...3 { _ = try await world.finish { try await machine.send(.add(number)) } }
        try await world.finish { try await machine.delete() }
        #expect(try await world.finish { await collected.value } == [[], [1], [1, 2], [1, 2, 3]])
        #expect(machine.status == .ended(.deleted))
    }

    @Test func `cancelling the reader of a sequence ends it`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        let reader = Task { @MainActor in
            var count = 0
            for await _ in machine.changes { count += 1 }
            return count
        }
        await world.pass(.milliseconds(1))
        reader.cancel()
        #expect(try await world.finish { await reader.value } <= 1)
    }

    @Test func `a slow reader gets the latest outputs in place of the changes`() async throws {
        let world = try TestWorld { $0.maxBufferedChanges = 3 }
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        var iterator = machine.changes.makeAsyncIterator()
        for number in 1...3 { _ = try await world.finish { try await machine.send(.add(number)) } }
        let change = try #require(await iterator.next())
        #expect(change.kind == .snapshot)
        #expect(change.outputs.values == [1, 2, 3])
        #expect(change.changed == ["values", "total", "note"])
    }

    @Test func `a session that somebody deletes ends the machine, and inputs that wait`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        _ = world.transport.harness.send(.delete, "/v1/sessions/\(machine.id)")
        await world.pass(.seconds(1))
        #expect(machine.status == .ended(.deleted))
        await #expect(throws: GranaryError.sessionEnded(.deleted)) {
            try await world.finish { try await machine.send(.add(1)) }
        }
        #expect(world.connection.stream.state == .idle)
    }

    @Test func `deleting twice is no error`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        world.transport.fault = { $0.method == "DELETE" && world.transport.requests.count < 5 ? .cut(after: 3) : nil }
        try await world.finish { try await machine.delete() }
        #expect(machine.status == .ended(.deleted))
        try await world.finish { try await machine.delete() }
    }

    @Test func `a full queue refuses further inputs`() async throws {
        let world = try TestWorld { $0.maxQueuedInputs = 2 }
        let machine = try await world.machine()
        world.transport.fault = { _ in .refused }
        let waiting = (1...2).map { number in Task { try await machine.send(.add(number)) } }
        await world.pass(.milliseconds(1))
        await #expect(throws: GranaryError.queueFull(limit: 2)) {
            try await world.finish { try await machine.send(.add(3)) }
        }
        world.transport.fault = { _ in nil }
        for send in waiting { _ = try await world.finish { try await send.value } }
        #expect(machine.outputs.values == [1, 2])
    }

    @Test func `cancelling withdraws an input that was not sent, and only the call of one that was`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        world.transport.latency = { .seconds(1) }
        let sends = (1...3).map { number in Task { try await machine.send(.add(number)) } }
        await world.pass(.milliseconds(1))
        sends[0].cancel()
        sends[1].cancel()
        for send in sends.prefix(2) {
            await #expect(throws: CancellationError.self) { try await world.finish { try await send.value } }
        }
        #expect(try await world.finish { try await sends[2].value }.outputs.values == [1, 3])
    }

    @Test func `a value that has no JSON form is not sent`() async throws {
        let world = try TestWorld()
        let machine = try await world.finish { try await world.connection.machine(Endless.self) }
        let count = world.transport.requests.count
        await #expect(throws: GranaryError.self) { try await world.finish { try await machine.send(.add(.infinity)) } }
        #expect(world.transport.requests.count == count)
    }

    @Test func `outputs that do not fit the types are an error, not a wrong value`() async throws {
        let world = try TestWorld()
        await #expect {
            try await world.finish { try await world.connection.machine(Mistyped.self) }
        } throws: { error in
            if case GranaryError.incompatible(let detail) = error { detail.contains("\"total\"") } else { false }
        }
    }

    @Test func `a change that does not fit the types ends the machine with the reason`() async throws {
        let world = try TestWorld()
        let machine = try await world.finish { try await world.connection.machine(NoteIsRequired.self) }
        await world.pass(.seconds(1))
        guard case .ended(.incompatible(let detail)) = machine.status else {
            Issue.record("expected the end of the machine, got \(machine.status)")
            return
        }
        #expect(detail.contains("\"note\""))
        #expect(world.transport.openStreams.isEmpty)
    }

    @Test func `nothing is merged after a change that does not fit the types`() async throws {
        let world = try TestWorld()
        let machine = try await world.finish { try await world.connection.machine(NoteIsANumber.self) }
        await world.pass(.seconds(1))
        // Both turns arrive together.
        let inputs = "/v1/sessions/\(machine.id)/inputs"
        _ = world.transport.harness.send(.post, inputs + "/note", body: "\"text\"")
        _ = world.transport.harness.send(.post, inputs + "/add", body: "5")
        await world.pass(.seconds(1))
        guard case .ended(.incompatible) = machine.status else {
            Issue.record("expected the end of the machine, got \(machine.status)")
            return
        }
        #expect(machine.total == 0)
        #expect(machine.version == nil)
        world.connection.reconnect()
        await world.pass(.seconds(1))
        #expect(machine.status == .live)
        #expect(machine.total == 5)
        #expect(machine.version == 2)
    }

    @Test func `a machine that nobody retains is no longer followed`() async throws {
        let world = try TestWorld()
        var machine: RemoteMachine<Tally>? = try await world.machine()
        await world.pass(.seconds(1))
        #expect(world.transport.openStreams.count == 1)
        weak let weakMachine = machine
        machine = nil
        #expect(weakMachine == nil)
        await world.pass(.seconds(1))
        #expect(world.transport.openStreams.isEmpty)
        #expect(world.connection.stream.state == .idle)
    }

    @Test func `a closed machine sends and shows nothing`() async throws {
        let world = try TestWorld()
        let machine = try await world.machine()
        await world.pass(.seconds(1))
        machine.close()
        machine.close()
        #expect(machine.status == .ended(.closed))
        await #expect(throws: GranaryError.closed) { try await world.finish { try await machine.send(.add(1)) } }
        #expect(world.transport.openStreams.isEmpty)
    }
}

/// A machine that the server does not host.
private enum Unhosted: MachineSchema {
    static let machineName = "unhosted"
    typealias Inputs = Tally.Inputs
    typealias Outputs = Tally.Outputs
}

/// The machine with an input that accepts more numbers than JSON has.
private enum Endless: MachineSchema {
    static let machineName = "tally"
    typealias Outputs = Tally.Outputs

    enum Inputs: MachineInputs {
        case add(Double)

        func inputMessage() -> InputMessage {
            switch self {
            case .add(let value): InputMessage("add", value)
            }
        }
    }
}

/// The machine with an output of another type.
private enum Mistyped: MachineSchema {
    static let machineName = "tally"
    typealias Inputs = Tally.Inputs

    struct Outputs: MachineOutputs {
        var total: String

        init(_ values: OutputValues) throws { total = try values.value("total") }
        mutating func merge(_ values: OutputValues) throws { try values.update("total", &total) }
    }
}

/// The machine with types that do not accept a change of the note.
private enum NoteIsANumber: MachineSchema {
    static let machineName = "tally"
    typealias Inputs = Tally.Inputs

    struct Outputs: MachineOutputs {
        var total: Int

        init(_ values: OutputValues) throws { total = try values.value("total") }

        mutating func merge(_ values: OutputValues) throws {
            var note = 0
            try values.update("note", &note)
            try values.update("total", &total)
        }
    }
}

/// The machine with types that accept the outputs only when they are created.
private enum NoteIsRequired: MachineSchema {
    static let machineName = "tally"
    typealias Inputs = Tally.Inputs

    struct Outputs: MachineOutputs {
        @MainActor static var count = 0
        var note: String?

        init(_ values: OutputValues) throws {
            note = try values.optional("note")
            let isFirst = MainActor.assumeIsolated {
                Self.count += 1
                return Self.count == 1
            }
            if !isFirst { _ = try values.value("note", as: String.self) }
        }
        mutating func merge(_ values: OutputValues) throws {}
    }
}
