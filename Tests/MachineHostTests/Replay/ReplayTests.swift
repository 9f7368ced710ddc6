import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Recorded sessions that are run again.
struct ReplayTests {
    private let service = FakeService()

    /// Runs a session of a machine and returns its recording.
    private func record(
        _ machine: MachineDefinition, turnsPerSnapshot: Int = .max, _ body: (RestartableHost, String) throws -> Void
    ) throws -> String {
        var configuration = HostConfiguration()
        configuration.turnsPerSnapshot = turnsPerSnapshot
        let host = try RestartableHost([machine], configuration: configuration)
        let session = host.harness.makeSession(of: machine.name)
        try body(host, session)
        return try host.recording(of: session)
    }

    private func differences(_ recording: String, _ machine: MachineDefinition) throws -> (
        turns: Int, ReplayDivergence?
    ) {
        var replay = try Replay(SessionRecording(recording), machine)
        var count = 0
        let divergence = try replay.run { _ in count += 1 }
        return (count, divergence)
    }

    private func captured(_ machine: MachineDefinition) -> MachineDefinition {
        var machine = machine
        machine.captureObstacles = []
        return machine
    }

    private func type(_ text: String, _ host: RestartableHost, _ session: String) {
        _ = host.send(.post, session + "/inputs/type", body: "\"\(text)\"")
    }

    @Test func `inputs and timers are run again at the recorded times`() throws {
        let recording = try record(Typist.definition) { host, session in
            type("a", host, session)
            host.harness.loop.advance(by: .milliseconds(4999))
            type("b", host, session)
            host.harness.loop.advance(by: .seconds(6))
            type("c", host, session)
            host.harness.loop.advance(by: .nanoseconds(5_000_000_001))
        }
        #expect(try SessionRecording(recording).beginsWithCreation)
        let (turns, divergence) = try differences(recording, Typist.definition)
        #expect(turns == 5)
        #expect(divergence?.description == nil)
    }

    @Test func `a recording may begin with a snapshot, between an input and its debounced value`() throws {
        let recording = try record(Typist.definition, turnsPerSnapshot: 3) { host, session in
            type("a", host, session)
            host.harness.loop.advance(by: .seconds(6))
            type("b", host, session)
            host.harness.loop.advance(by: .seconds(1))
            type("c", host, session)
            host.harness.loop.advance(by: .seconds(6))
        }
        #expect(try !SessionRecording(recording).beginsWithCreation)
        let (turns, divergence) = try differences(recording, Typist.definition)
        #expect(turns == 2)
        #expect(divergence?.description == nil)
    }

    @Test func `effects are answered from the record, and nobody is asked`() throws {
        let machine = captured(.askingLatest(service))
        let recording = try record(machine) { host, session in
            for (index, text) in ["swift", "kotlin", "zig"].enumerated() {
                _ = host.send(.post, session + "/inputs/ask", body: "\"\(text)\"")
                if index > 0 { service.answer(index, "found \(text.count)") }
                host.harness.loop.run()
            }
        }
        #expect(service.questions.count == 3)
        let (turns, divergence) = try differences(recording, machine)
        #expect(turns == 5)
        #expect(divergence?.description == nil)
        #expect(service.questions.count == 3)
    }

    @Test func `a failure that cannot be stored is replayed as a failure`() throws {
        let service = service
        let machine = captured(
            .searching { search in
                let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect(
                    "search", service.ask)
                search.show(
                    search.questions.map { ask($0).catch { _ in Just("failed") } }.switchToLatest()
                        .setFailureType(to: (any Error).self))
            })
        let recording = try record(machine) { host, session in
            _ = host.send(.post, session + "/inputs/ask", body: "\"swift\"")
            service.fail(0)
            host.harness.loop.run()
        }
        let (turns, divergence) = try differences(recording, machine)
        #expect(turns == 2)
        #expect(divergence?.description == nil)
    }

    @Test func `a restart of the process is replayed as one`() throws {
        let machine = captured(.askingOnce(service))
        let recording = try record(machine) { host, session in
            try host.restart(after: 7)
            _ = host.send(.get, session)
            service.answer(1, "found")
            host.harness.loop.run()
        }
        let records = try (0..<SessionRecording(recording).turnCount).map { try SessionRecording(recording).record($0) }
        #expect(records.map(\.trigger).contains(.resumed))
        let (_, divergence) = try differences(recording, machine)
        #expect(divergence?.description == nil)
        #expect(service.questions.count == 2)
    }

    @Test func `timers that change nothing run when they were due, also before inputs`() throws {
        var machine = ScriptedMachine.definition(
            outputs: ["count"],
            inputs: [
                "go": { machine, value in
                    // The first timer has no record.
                    _ = machine.context.scheduler.schedule(after: .milliseconds(300), repeating: nil) {
                        _ = machine.context.scheduler.schedule(after: .milliseconds(300), repeating: nil) {
                            machine.set("count", to: value)
                        }
                    }
                }
            ], made: { ScriptedState.capture($0) })
        machine.captureObstacles = []
        let recording = try record(machine) { host, session in
            for (value, pause) in [(1, 500), (2, 0), (3, 2000)] {
                _ = host.send(.post, session + "/inputs/go", body: "\(value)")
                host.harness.loop.advance(by: .milliseconds(pause))
            }
        }
        let (turns, divergence) = try differences(recording, machine)
        #expect(turns == 6)
        #expect(divergence?.description == nil)
    }

    @Test func `the first turn that differs is reported with both changes`() throws {
        func counter(from threshold: Int) -> MachineDefinition {
            var definition = ScriptedMachine.definition(
                outputs: ["count"],
                inputs: [
                    "increment": { machine, _ in
                        let count = (Int(machine.value(of: "count") ?? "") ?? 0) + 1
                        machine.set("count", to: "\(count >= threshold ? count * 10 : count)")
                    }
                ], made: { machine in ScriptedState.capture(machine) })
            definition.captureObstacles = []
            return definition
        }
        let recording = try record(counter(from: 100)) { host, session in
            for _ in 0..<5 { _ = host.send(.post, session + "/inputs/increment") }
        }
        #expect(try differences(recording, counter(from: 100)).1?.description == nil)
        let (turns, divergence) = try differences(recording, counter(from: 3))
        #expect(turns == 2)
        #expect(divergence?.turn?.number == 3)
        #expect(divergence?.difference == #"expected the change {"count":3}, got {"count":30}"#)
        #expect(divergence?.description.contains("3  2026-01-01T00:00:00Z  increment  -> 3") == true)
    }
}
