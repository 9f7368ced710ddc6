import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// The limits on the output of a turn and on the memory of one session and of all sessions.
struct StorageLimitTests {
    private func harness(
        log: Log = .silent, made: @escaping @Sendable (ScriptedMachine) throws -> Void = { _ in },
        _ configure: (inout HostConfiguration) -> Void
    ) throws -> HostHarness {
        var configuration = HostConfiguration()
        configure(&configuration)
        return try HostHarness(
            [
                ScriptedMachine.definition(
                    outputs: ["a", "b"], events: ["event"],
                    inputs: [
                        "a": { $0.set("a", to: $1) }, "b": { $0.set("b", to: $1) },
                        "clear": { machine, _ in machine.set("a", to: nil) },
                        "ring": { machine, value in
                            for _ in 0..<(Int(value) ?? 0) { machine.emit("event", "\"0123456789\"") }
                        },
                        "wait": { machine, _ in
                            _ = machine.context.scheduler.schedule(after: .seconds(60), repeating: nil) {}
                        },
                    ], made: made)
            ], configuration: configuration, log: log)
    }

    private func text(_ size: Int) -> String { "\"" + String(repeating: "x", count: size - 2) + "\"" }

    private func reasons(_ events: Lock<[LogEvent]>) -> [String] {
        events.withLock { $0 }.flatMap(\.fields).filter { $0.name == "reason" }.map { "\($0.value)" }
    }

    @Test func `an output above the limit ends its own session only`() throws {
        let events = Lock<[LogEvent]>([])
        let harness = try harness(log: Log(level: .error) { event in events.withLock { $0.append(event) } }) {
            $0.maxOutputBytes = 100_000
        }
        let (session, other) = (harness.makeSession(), harness.makeSession())
        let follower = harness.follow(session)
        #expect(harness.input(session, "a", text(99_000)).status == .ok)
        let answer = harness.input(session, "a", text(100_001))
        #expect(answer.status == .internalServerError)
        #expect(answer.text.contains("\"incident\":\""))
        #expect(harness.send(.get, session).status == .gone)
        follower.read()
        #expect(follower.view.end?.hasPrefix("{\"reason\":\"failed\"") == true)
        #expect(harness.input(other, "a", "1").status == .ok)
        #expect(reasons(events).count == 1)
        #expect(reasons(events)[0].contains("the output \\\"a\\\"") || reasons(events)[0].contains("the output \"a\""))
        #expect(reasons(events)[0].contains("100000"))
        #expect(harness.host.sessionCount == 1)
    }

    @Test func `outputs whose total is above the limit end the session`() throws {
        let harness = try harness { $0.maxOutputBytes = 100_000 }
        let session = harness.makeSession()
        #expect(harness.input(session, "a", text(60_000)).status == .ok)
        #expect(harness.input(session, "a", text(90_000)).status == .ok)
        #expect(harness.input(session, "a", text(60_000)).status == .ok)
        #expect(harness.input(session, "b", text(30_000)).status == .ok)
        #expect(harness.input(session, "b", text(40_001)).status == .internalServerError)
        #expect(harness.host.retainedByteCount == 0)
    }

    @Test func `events above the limit end the session`() throws {
        let harness = try harness { $0.maxOutputBytes = 100_000 }
        let session = harness.makeSession()
        #expect(harness.input(session, "ring", "2000").status == .ok)
        #expect(harness.input(session, "ring", "1000000").status == .internalServerError)
        #expect(harness.send(.get, session).status == .gone)
    }

    @Test func `no session exists for a machine whose first outputs are too large`() throws {
        let large = text(100_001)
        let harness = try harness(made: { $0.set("b", to: large) }) { $0.maxOutputBytes = 100_000 }
        let answer = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(answer.status == .internalServerError)
        #expect(harness.host.sessionCount == 0)
        #expect(harness.host.retainedByteCount == 0)
    }

    @Test func `a full session accepts no inputs, but can be read and deleted`() throws {
        let harness = try harness { $0.maxSessionBytes = 100_000 }
        let (session, other) = (harness.makeSession(), harness.makeSession())
        let key: HTTPFields = [.idempotencyKey: "k"]
        #expect(harness.input(session, "a", "1", fields: key).status == .ok)
        #expect(harness.input(session, "a", text(60_000)).status == .ok)
        #expect(harness.input(session, "b", text(60_000)).status == .ok)
        for (name, body) in [("a", "1"), ("clear", nil)] {
            let answer = harness.input(session, name, body)
            #expect(answer.status == .insufficientStorage)
            #expect(answer.text.contains("/problems/session-full"))
            #expect(answer.text.contains("100000"))
        }
        let batch = harness.send(.post, session + "/inputs", body: "[{\"input\":\"clear\"}]")
        #expect(batch.status == .insufficientStorage)
        let fresh: HTTPFields = [.idempotencyKey: "other"]
        #expect(harness.input(session, "a", "1", fields: fresh).status == .insufficientStorage)
        #expect(harness.input(session, "a", "1", fields: key).fields.contains(.idempotencyReplayed))
        #expect(harness.send(.get, session).status == .ok)
        #expect(harness.send(.get, session).text.contains("\"version\":3,"))
        #expect(harness.input(other, "a", "1").status == .ok)
        #expect(harness.send(.delete, session).status == .noContent)
        #expect(harness.host.retainedByteCount < 10_000)
    }

    @Test func `pending work counts towards the limit`() throws {
        let harness = try harness { $0.maxSessionBytes = 10_000 }
        let session = harness.makeSession()
        var count = 0
        while harness.input(session, "wait").status == .ok, count < 1000 { count += 1 }
        #expect((10..<1000).contains(count))
        harness.loop.advance(by: .seconds(60))
        #expect(harness.input(session, "wait").status == .ok)
    }

    @Test func `expired keys do not keep a session full`() throws {
        let harness = try harness {
            $0.maxSessionBytes = 10_000
            $0.idempotencyBytes = 1 << 20
        }
        let session = harness.makeSession()
        var count = 0
        while count < 1000 {
            let key = try #require(HTTPFieldValue("k\(count)"))
            guard harness.input(session, "clear", fields: [.idempotencyKey: key]).status == .ok else { break }
            count += 1
        }
        #expect((10..<1000).contains(count))
        #expect(harness.input(session, "clear").status == .insufficientStorage)
        harness.loop.advance(by: .seconds(600))
        #expect(harness.input(session, "clear").status == .ok)
    }

    @Test func `a full server accepts no new sessions and no large inputs`() throws {
        let harness = try harness { $0.maxBytes = 400_000 }
        let (small, large) = (harness.makeSession(), harness.makeSession())
        let others = (0..<4).map { _ in harness.makeSession() }
        for session in others { #expect(harness.input(session, "a", text(100_000)).status == .ok) }
        #expect(harness.host.retainedByteCount > 400_000)
        let refused = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.fields.contains(.retryAfter))
        #expect(refused.text.contains("sessions.maxBytes"))
        for (session, body) in [(others[0], "1"), (large, text(100_000))] {
            let answer = harness.input(session, "a", body)
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.fields.contains(.retryAfter))
        }
        // Small inputs add little, and a deletion frees memory, so both are accepted.
        #expect(harness.input(small, "a", "1").status == .ok)
        #expect(harness.input(others[0], "clear").status == .ok)
        #expect(harness.send(.get, others[1]).status == .ok)
        #expect(harness.send(.delete, others[1]).status == .noContent)
        #expect(harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}").status == .created)
        #expect(harness.input(large, "a", text(100_000)).status == .ok)
    }

    @Test func `sessions count although they show little`() throws {
        let harness = try harness {
            $0.maxBytes = 1 << 20
            $0.maxNewSessionsPerClient = nil
        }
        var sessions: [String] = []
        while sessions.count < 1000 {
            let answer = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
            guard answer.status == .created else { break }
            sessions.append(answer.fields[.location]?.string ?? "")
        }
        #expect((100..<500).contains(sessions.count))
        #expect(harness.host.retainedByteCount > 1 << 20)
        for session in sessions.prefix(10) { _ = harness.send(.delete, session) }
        #expect(harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}").status == .created)
    }

    @Test func `a server far above its limit accepts no values at all`() throws {
        let harness = try harness { $0.maxBytes = 100_000 }
        let (small, large) = (harness.makeSession(), harness.makeSession())
        #expect(harness.input(large, "a", text(200_000)).status == .ok)
        #expect(harness.input(small, "a", "1").status == .serviceUnavailable)
        #expect(harness.input(large, "clear").status == .ok)
        #expect(harness.input(small, "a", "1").status == .ok)
    }

    @Test func `the memory of sessions is released when they end`() throws {
        let harness = try harness { _ in }
        for size in [10, 5000, 40_000, 200_000] {
            let session = harness.makeSession()
            let empty = harness.host.retainedByteCount
            harness.input(session, "a", text(size))
            #expect(harness.host.retainedByteCount >= size)
            // A small value is in the history, too, and the sum is rounded up to 16 KiB.
            #expect(harness.host.retainedByteCount <= empty + size + min(size, 8 << 10) + (16 << 10))
            _ = harness.send(.delete, session)
            #expect(harness.host.retainedByteCount == 0)
        }
    }

    @Test func `the host's counter changes in steps`() {
        var (charged, changes) = (0, 0)
        let most = 320 << 10
        for bytes in 1...most {
            guard let charge = RetentionStep.roundedCharge(for: bytes, now: charged) else { continue }
            #expect(charge >= bytes && charge < bytes + (16 << 10))
            charged = charge
            changes += 1
        }
        #expect(changes == 256 + 4)
        #expect(RetentionStep.roundedCharge(for: most - 100, now: charged) == nil)
        // A session that shrinks is not charged for its former size.
        #expect(RetentionStep.roundedCharge(for: 10_000, now: 17 << 10) == 10 << 10)
        #expect(RetentionStep.roundedCharge(for: 100, now: charged) == 1024)
        #expect(RetentionStep.roundedCharge(for: 0, now: 4096) == 0)
    }
}
