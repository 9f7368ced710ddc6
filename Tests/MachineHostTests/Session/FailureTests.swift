import Dispatch
import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// A machine that fails ends its own session, wherever the failure occurs.
struct FailureTests {
    private struct Host {
        let harness: HostHarness
        let events: Lock<[LogEvent]>

        /// The logged reasons in lines that quote the incident.
        func reasons(_ incident: Substring) -> [LogValue] {
            events.withLock { $0 }
                .filter { event in event.fields.contains { $0.value == .text(String(incident)) } }
                .flatMap(\.fields).filter { $0.name == "reason" }.map(\.value)
        }
    }

    private func host(
        _ inputs: [String: ScriptedMachine.Reaction] = [:],
        made: @escaping @Sendable (ScriptedMachine) throws -> Void = { _ in }
    ) throws -> Host {
        let events = Lock<[LogEvent]>([])
        let definition = ScriptedMachine.definition(
            outputs: ["a"], events: ["b"],
            inputs: inputs.merging(["set": { $0.set("a", to: $1) }]) { $1 }, made: made)
        let log = Log(level: .debug) { event in events.withLock { $0.append(event) } }
        return Host(harness: try HostHarness([definition], log: log), events: events)
    }

    private func incident(_ text: String) -> Substring {
        guard let range = text.firstRange(of: "\"incident\":\"") else { return "" }
        return text[range.upperBound...].prefix { $0 != "\"" }
    }

    @Test func `an event that cannot be encoded fails its turn`() throws {
        let host = try host([
            "ring": { machine, _ in
                machine.set("a", to: "2")
                machine.outputs.emit(machine.outputs.cells[1]) { _ in throw ScriptedMachine.Failure("no bell") }
                machine.emit("b", "1")
            }
        ])
        let session = host.harness.makeSession()
        let follower = host.harness.follow(session)
        follower.read()
        let answer = host.harness.input(session, "ring")
        #expect(answer.status == .internalServerError)
        #expect(host.reasons(incident(answer.text)) == [.text("no bell")])
        follower.read()
        #expect(follower.events.map(\.event) == ["snapshot", "end"])
        #expect(host.harness.send(.get, session).status == .gone)
    }

    @Test func `a failing scheduled action ends its session without a request`() throws {
        let host = try host([
            "failLater": { machine, _ in
                _ = machine.context.scheduler.schedule(after: .seconds(5), repeating: nil) {
                    machine.fail("a", with: .init("too late"))
                }
            }
        ])
        let session = host.harness.makeSession()
        let follower = host.harness.follow(session)
        #expect(host.harness.input(session, "failLater").status == .ok)
        follower.read()
        host.harness.loop.advance(by: .seconds(5))
        follower.read()
        let end = try #require(follower.view.end)
        #expect(end.hasPrefix("{\"reason\":\"failed\",\"incident\":\""))
        #expect(host.reasons(incident(end)) == [.text("too late")])
        #expect(host.harness.host.sessionCount == 0)
    }

    @Test func `no session exists for a machine whose first outputs cannot be encoded`() throws {
        let host = try host(made: { machine in machine.fail("a", with: .init("not yet")) })
        let answer = host.harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(answer.status == .internalServerError)
        #expect(!answer.text.contains("not yet"))
        #expect(host.reasons(incident(answer.text)) == [.text("not yet")])
        #expect(host.harness.host.sessionCount == 0)
    }

    @Test func `a keyed input of a failed machine does not run again`() throws {
        let runs = Lock(0)
        let host = try host([
            "break": { machine, _ in
                runs.withLock { $0 += 1 }
                machine.fail("a", with: .init("broken"))
            }
        ])
        let session = host.harness.makeSession()
        let key: HTTPFields = [.idempotencyKey: "k"]
        #expect(host.harness.input(session, "break", fields: key).status == .internalServerError)
        #expect(host.harness.input(session, "break", fields: key).status == .gone)
        #expect(runs.withLock { $0 } == 1)
    }

    @Test func `each failure has its own incident, and the log never contains the session ID`() throws {
        let host = try host(["break": { machine, _ in machine.fail("a", with: .init("broken")) }])
        var incidents: Set<Substring> = []
        for _ in 0..<10 {
            let session = host.harness.makeSession()
            incidents.insert(incident(host.harness.input(session, "break").text))
            let id = session.dropFirst("/v1/sessions/".count)
            #expect(host.events.withLock { $0 }.allSatisfy { !"\($0)".contains(id) })
        }
        #expect(host.events.withLock { $0.count } == 10)
        #expect(incidents.count == 10)
        #expect(incidents.allSatisfy { $0.count == 16 })
    }

    @Test func `work from another thread is dropped after the session has ended`() throws {
        let host = try host()
        let session = host.harness.makeSession()
        let board = Unconfined(board: try #require(host.harness.session(at: session)?.board))
        let ran = Lock(false)
        onAnotherThread { board.board.perform { ran.withLock { $0 = true } } }
        _ = host.harness.send(.delete, session)
        host.harness.loop.run()
        #expect(!ran.withLock { $0 })
        #expect(host.events.withLock { $0 }.isEmpty)
    }
}

/// A board that is passed to a thread other than its own.
///
/// Sendable because that thread only calls methods that are safe on any thread.
private struct Unconfined: @unchecked Sendable {
    let board: OutputBoard
}
