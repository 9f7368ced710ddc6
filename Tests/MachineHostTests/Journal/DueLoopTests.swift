import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The loops of sessions that are due when a server starts.
struct DueLoopTests {
    private let loops = (0..<2).map { VirtualEventLoop(index: $0, count: 2) }

    /// Returns the disk of a process that ended while sessions had timers.
    private func disk(sessions: Int) throws -> TestDisk {
        let host = try StoredHost()
        for _ in 0..<sessions {
            let session = host.makeSession(of: "typist")
            _ = host.send(.post, session + "/inputs/type", body: #""hello""#)
        }
        return host.disk
    }

    /// Returns a process that begins long after the sessions were due.
    private func process(on disk: TestDisk, _ executor: ManualExecutor) throws -> (JournalWriter, SessionHost) {
        let clock = { @Sendable [loop = loops[0]] in
            WallTime(seconds: 1_767_225_200 + Int64(loop.currentTime.nanoseconds / 1_000_000_000))
        }
        let uptime = { @Sendable [loop = loops[0]] in
            StoredHost.uptime(after: Int64(loop.currentTime.nanoseconds / 1_000_000_000) - 400, boot: "first")
        }
        let writer = JournalWriter(executor: executor, wallClock: clock, uptime: uptime, bootID: { "first" }) { error in
            disk.failures.withLock { $0.append("\(error)") }
        }
        return (writer, try SessionHost([Typist.definition], wallClock: clock, journal: writer))
    }

    private func settle(_ executor: ManualExecutor) {
        var isBusy = true
        while isBusy {
            isBusy = executor.runPending()
            for loop in loops where loop.runRound() { isBusy = true }
        }
    }

    /// Lets enough time pass for a look-up.
    private func advance(_ executor: ManualExecutor) {
        for _ in 0..<3 {
            for loop in loops { loop.stall(for: .seconds(1)) }
            settle(executor)
        }
    }

    @Test func `sessions that are due before all loops are there wake on their own loops`() throws {
        let disk = try disk(sessions: 12)
        let executor = ManualExecutor(loops[0])
        let (writer, host) = try process(on: disk, executor)
        writer.open {
            TestJournal(disk)
        } opened: { error in
            if let error { disk.failures.withLock { $0.append("\(error)") } }
        }
        let first = host.makeShard(on: loops[0])
        advance(executor)
        #expect(host.sessionCount == 0, "expected no session to wake while a loop is missing")

        let second = host.makeShard(on: loops[1])
        advance(executor)
        #expect(host.sessionCount == 12)
        for (index, shard) in [first, second].enumerated() {
            #expect(!shard.sessions.storedValues.isEmpty)
            #expect(shard.sessions.storedValues.allSatisfy { $0.storedID.loop(of: 2) == index })
        }
        #expect(disk.failures.withLock { $0 } == [])
    }

    @Test func `an operator ends a session on its own loop, or learns that its loop is missing`() throws {
        let disk = try disk(sessions: 12)
        let executor = ManualExecutor(loops[0])
        let (writer, host) = try process(on: disk, executor)
        writer.open {
            TestJournal(disk)
        } opened: { _ in
        }
        let shard = host.makeShard(on: loops[0])
        settle(executor)
        var ended: [Int: [Bool?]] = [:]
        for summary in disk.content.withLock({ $0.sessions(after: nil, limit: .max) }) {
            let loop = summary.id.loop(of: 2)
            let outcome = Outcome()
            writer.end(summary) { outcome.hasEnded = $0 }
            settle(executor)
            ended[loop, default: []].append(outcome.hasEnded)
        }
        #expect(try #require(ended[0]).allSatisfy { $0 == true })
        #expect(try #require(ended[1]).allSatisfy { $0 == false })
        withExtendedLifetime(shard) {}
    }

    /// What a closure has received. Sendable because a test has one thread.
    private final class Outcome: @unchecked Sendable {
        var hasEnded: Bool?
    }
}
