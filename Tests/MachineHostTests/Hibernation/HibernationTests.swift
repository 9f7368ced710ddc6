import Foundation
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

extension StoredHost {
    /// A process whose sessions sleep after a minute.
    static func hibernating(
        on disk: TestDisk = TestDisk(), after seconds: Int64 = 0, of definition: MachineDefinition? = nil,
        build: String = "", reserve: Int64 = 0, _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> StoredHost {
        try StoredHost(
            on: disk, after: seconds, of: definition, reserve: reserve, hibernates: true, build: build, configure)
    }

    /// The number of sessions whose machines are in memory.
    var awakeCount: Int { harness.host.sessionCount }

    /// The sessions that sleep with open streams.
    var slots: [DormantSession] { Array(harness.shard.hibernation.slots.values) }
}

/// Sessions that sleep, and what wakes them.
struct HibernationTests {
    @Test func `a session that nobody uses sleeps, and an input wakes it`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment", key: "k")
        host.advance(by: 60)
        #expect(host.awakeCount == 1)
        host.advance(by: 3)
        #expect(host.awakeCount == 0)
        #expect(host.slots.isEmpty)
        #expect(host.disk.entries.map(\.rows.count) == [0])
        #expect(host.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":2,"changes":{"count":2"#))
        #expect(host.awakeCount == 1)
        #expect(host.send(.post, session + "/inputs/increment", key: "k").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `memory is returned some seconds after many sessions have gone to sleep`() throws {
        let host = try StoredHost.hibernating { $0.maxNewSessionsPerClient = nil }
        func returns() -> Int { host.disk.memoryReturns.withLock { $0 } }
        for _ in 0..<999 { _ = host.makeSession() }
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        #expect(returns() == 0)
        _ = host.makeSession()
        host.advance(by: 63)
        #expect(host.awakeCount == 0)
        #expect(returns() == 0)
        host.advance(by: 6)
        #expect(returns() == 1)
        for _ in 0..<999 { _ = host.makeSession() }
        host.advance(by: 70)
        #expect(returns() == 1)
    }

    /// A process in which 40 sessions with a row each have just fallen asleep, and none is stored as one that sleeps.
    private func fallenAsleep() throws -> (host: StoredHost, sessions: [String]) {
        let host = try StoredHost.hibernating { $0.maxNewSessionsPerClient = nil }
        let sessions = (0..<40).map { _ in host.makeSession() }
        for session in sessions { _ = host.send(.post, session + "/inputs/increment") }
        for _ in 0..<70 where host.awakeCount > 0 { host.harness.loop.advance(by: .seconds(1)) }
        try #require(host.awakeCount == 0)
        try #require(host.disk.entries.allSatisfy { $0.rows.count == 1 })
        return (host, sessions)
    }

    @Test func `sessions that are due together go to sleep in several rounds, unless they are used meanwhile`() throws {
        let host = try StoredHost.hibernating { $0.maxNewSessionsPerClient = nil }
        let sessions = (0..<10).map { _ in host.makeSession() }
        host.advance(by: 60)
        let loop = host.harness.loop
        loop.hasShortRounds = true
        for _ in 0..<3 where host.awakeCount == 10 {
            loop.stall(for: .seconds(1))
            loop.runRound()
        }
        #expect(host.awakeCount == 9)
        loop.runRound()
        #expect(host.awakeCount == 8)
        let answers = sessions.map { host.start(.post, $0 + "/inputs/increment") }
        host.store()
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(host.awakeCount == 10)
        host.advance(by: 63)
        #expect(host.awakeCount == 0)
        #expect(host.disk.entries.allSatisfy { $0.rows.isEmpty })
    }

    @Test func `no session goes to sleep in a later round when its turns were stopped meanwhile`() throws {
        let host = try StoredHost.hibernating { $0.maxNewSessionsPerClient = nil }
        for _ in 0..<10 { _ = host.makeSession() }
        host.advance(by: 60)
        let loop = host.harness.loop
        loop.hasShortRounds = true
        for _ in 0..<3 where host.awakeCount == 10 {
            loop.stall(for: .seconds(1))
            loop.runRound()
        }
        let awake = host.awakeCount
        #expect((1..<10).contains(awake))
        host.harness.shard.journal?.pause.begin(.suspension)
        host.advance(by: 5)
        #expect(host.awakeCount == awake)
        host.harness.shard.resume()
        host.advance(by: 5)
        #expect(host.awakeCount == 0)
    }

    @Test func `sessions that fall asleep together are stored in steps`() throws {
        let (host, _) = try fallenAsleep()
        func stored() -> Int { host.disk.entries.count(where: { $0.rows.isEmpty }) }
        var steps: [Int] = []
        for _ in 0..<20 where stored() < 40 {
            let before = stored()
            host.stepOnce()
            if stored() > before { steps.append(stored() - before) }
        }
        #expect(steps == [8, 8, 8, 8, 8])
    }

    @Test func `a session is stored as one that sleeps before a request loads it`() throws {
        let (host, sessions) = try fallenAsleep()
        let answers = sessions.map { host.start(.get, $0) }
        host.store()
        #expect(answers.allSatisfy { $0.text.contains(#""dormant":true"#) })
        #expect(host.awakeCount == 0)
        let woken = sessions.map { host.start(.post, $0 + "/inputs/increment") }
        host.store()
        #expect(woken.allSatisfy { $0.text.hasPrefix(#"{"version":2,"changes":{"count":2"#) })
        #expect(host.disk.failures.withLock { $0 }.isEmpty)
    }

    @Test func `a session that wakes and sleeps again meanwhile is stored as it is then`() throws {
        let (host, sessions) = try fallenAsleep()
        let woken = host.send(.post, sessions[39] + "/inputs/increment")
        #expect(woken.status == 200)
        host.advance(by: 63)
        #expect(host.awakeCount == 0)
        #expect(host.disk.entries.allSatisfy { $0.rows.isEmpty })
        #expect(host.disk.entries.compactMap { $0.snapshot?.summary.version }.max() == 2)
    }

    @Test func `sessions that are about to be stored are stored before another process gets the journal`() throws {
        let (host, _) = try fallenAsleep()
        host.stepOnce()
        #expect(host.disk.entries.contains { !$0.rows.isEmpty })
        host.suspend()
        host.store()
        #expect(host.disk.entries.allSatisfy { $0.rows.isEmpty })
    }

    @Test func `sessions sleep earlier when they take nearly as much memory as they may`() throws {
        let host = try StoredHost.hibernating {
            $0.maxBytes = 1 << 20
            $0.maxNewSessionsPerClient = nil
        }
        let limit = 1 << 20
        var sessions: [String] = []
        while host.harness.host.retainedByteCount < limit * 9 / 10 { sessions.append(host.makeSession()) }
        #expect(host.awakeCount == sessions.count)
        // Less than half of the minute. No more of them sleep than is necessary.
        host.advance(by: 26)
        let early = host.awakeCount
        #expect(early > 0 && early < sessions.count)
        #expect(host.harness.host.retainedByteCount <= limit * 3 / 4)
        #expect(host.harness.host.retainedByteCount > limit * 7 / 10)
        host.advance(by: 20)
        #expect(host.awakeCount == early)
        host.advance(by: 20)
        #expect(host.awakeCount == 0)
        for session in sessions { #expect(host.send(.get, session).status == 200) }
    }

    @Test func `under the limit of memory, sessions make room for others as soon as nobody uses them`() throws {
        let host = try StoredHost.hibernating {
            $0.maxBytes = 256 << 10
            $0.maxNewSessionsPerClient = nil
        }
        func create() -> Int? { host.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}").status }
        var refusals = 0
        for _ in 0..<200 {
            let status = create()
            guard status != 201 else { continue }
            refusals += 1
            #expect(status == 503)
            // As `Retry-After` says.
            host.advance(by: 10)
            // How much more depends on which of them had stayed awake before.
            #expect(host.harness.host.retainedByteCount < 256 << 10)
            #expect(create() == 201)
        }
        #expect(refusals >= 2)
        #expect(host.harness.host.retainedByteCount <= 300 << 10)
    }

    @Test func `a machine that does not declare that it may be released stays awake`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.advance(by: 200)
        #expect(host.awakeCount == 1)
        #expect(!host.send(.get, session).text.contains("dormant"))
    }

    @Test func `sessions stay awake if the configuration says so`() throws {
        let host = try StoredHost.hibernating { $0.hibernateAfter = nil }
        let session = host.makeSession()
        host.advance(by: 200)
        #expect(host.awakeCount == 1)
        #expect(host.send(.get, session).text.hasSuffix(#","dormant":false,"awake":{"because":"configuration"}}"#))
    }

    @Test func `an operator cannot put a session to sleep while something needs it`() throws {
        let host = try StoredHost.hibernating { $0.hibernateAfter = nil }
        let session = host.makeSession()
        let id = StoredSessionID(of: try #require(SessionID(text: String(session.dropFirst("/v1/sessions/".count)))))
        let request = HTTPRequest(
            method: .get, target: session + "/outputs", fields: [.accept: "text/event-stream"], peer: .unknown)
        // A stream whose response has not begun.
        var answer: HTTPAnswer? = host.harness.shard.respond(to: request)
        #expect(answer != nil)
        #expect(throws: ProblemDetails.self) { try host.harness.shard.hibernate(id) }
        #expect(host.awakeCount == 1)
        answer = nil
        try host.harness.shard.hibernate(id)
        #expect(host.awakeCount == 0)
    }

    @Test func `a session that is used stays awake`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        for _ in 0..<5 {
            host.advance(by: 40)
            #expect(host.send(.get, session).text.hasSuffix(#","dormant":false,"awake":{"because":"use"}}"#))
        }
        #expect(host.awakeCount == 1)
    }

    @Test func `a session that sleeps is read without its machine`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        let before = host.send(.get, session + "/outputs")
        host.advance(by: 70)
        let after = host.send(.get, session + "/outputs")
        #expect(after.text == before.text)
        let tag = try #require(before.response?.fields.value(.eTag))
        #expect(tag.hasSuffix(#".1""#) && after.response?.fields.value(.eTag) == tag)
        let description = host.send(.get, session).text
        #expect(description.contains(#""version":1,"durability":"disk","outputs":{"count":1,"isEven":false}"#))
        #expect(description.hasSuffix(#","dormant":true}"#))
        #expect(host.send(.get, session + "/outputs?only=isEven").text == #"{"isEven":false}"#)
        #expect(host.send(.get, session + "/outputs?only=none").status == 404)
        #expect(host.awakeCount == 0)
    }

    @Test func `reads keep a session that sleeps from expiring`() throws {
        let host = try StoredHost.hibernating { $0.idleExpiry = .seconds(120) }
        let session = host.makeSession()
        for _ in 0..<6 {
            host.advance(by: 70)
            #expect(host.send(.get, session).status == 200)
        }
        #expect(host.awakeCount == 0)
        host.advance(by: 130)
        #expect(host.send(.get, session).status == 410)
    }

    @Test func `two inputs that wake a session at once meet the same machine`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        host.advance(by: 70)
        let first = host.start(.post, session + "/inputs/increment")
        let read = host.start(.get, session + "/outputs")
        let second = host.start(.post, session + "/inputs/increment")
        host.store()
        #expect(first.text.hasPrefix(#"{"version":1"#))
        #expect(read.text.hasPrefix(#"{"count":1"#))
        #expect(second.text.hasPrefix(#"{"version":2"#))
        #expect(host.awakeCount == 1)
    }

    @Test func `an input that arrives while the session goes to sleep finds it`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        // The machine is released, and the writer has not stored that yet.
        host.advance(by: 60)
        host.harness.loop.advance(by: .seconds(2))
        #expect(host.awakeCount == 0)
        let input = host.start(.post, session + "/inputs/increment")
        host.store()
        #expect(input.text.hasPrefix(#"{"version":2,"changes":{"count":2"#))
    }

    @Test func `a deletion that arrives while the session wakes ends it`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        host.advance(by: 70)
        let input = host.start(.post, session + "/inputs/increment")
        let deletion = host.start(.delete, session)
        let late = host.start(.get, session)
        host.store()
        #expect(input.status == 200)
        #expect(deletion.status == 204)
        #expect(late.status == 410)
        #expect(host.awakeCount == 0)
        #expect(host.send(.get, session).status == 410)
    }

    @Test func `the limit of sessions counts those that are awake`() throws {
        let host = try StoredHost.hibernating { $0.maxSessions = 1 }
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        stream.read()
        host.advance(by: 70)
        let second = host.makeSession()
        #expect(!second.isEmpty)
        #expect(host.send(.post, session + "/inputs/increment").status == 503)
        // Its stream stays, and it can be read.
        #expect(host.send(.get, session).status == 200)
        #expect(!stream.hasFinished)
        #expect(host.send(.delete, second).status == 204)
        #expect(host.send(.post, session + "/inputs/increment").status == 200)
        stream.read()
        #expect(stream.events.last?.event == "change")
    }

    @Test func `a session that cannot be read at its waking is kept with its streams`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        stream.read()
        host.advance(by: 70)
        let stored = try #require(host.disk.entries.first?.snapshot)
        func replace(_ content: [UInt8]) {
            var batch = JournalBatch()
            batch.add(
                .store(SessionSnapshot(summary: stored.summary, covers: stored.covers, content: content)))
            host.disk.content.withLock { $0.apply(batch) }
        }
        replace([9, 9])
        let refused = host.send(.post, session + "/inputs/increment")
        #expect(refused.status == 503)
        #expect(refused.text.contains("incident"))
        #expect(host.send(.get, session).status == 503)
        stream.read()
        #expect(!stream.hasFinished)
        replace(stored.content)
        #expect(host.send(.post, session + "/inputs/increment").status == 200)
        stream.read()
        #expect(stream.events.map(\.event) == ["snapshot", "change"])
    }

    @Test func `a full disk lets sessions wake and refuses their inputs`() throws {
        let disk = TestDisk()
        disk.free.withLock { $0 = 2000 }
        let host = try StoredHost.hibernating(on: disk, reserve: 1000)
        let (session, other) = (host.makeSession(), host.makeSession())
        host.advance(by: 70)
        disk.free.withLock { $0 = 10 }
        // Found with the next commit.
        _ = host.send(.post, other + "/inputs/increment")
        #expect(host.send(.post, session + "/inputs/increment").status == 507)
        #expect(host.awakeCount == 2)
        // Going to sleep would need room.
        host.advance(by: 200)
        #expect(host.awakeCount == 2)
        disk.free.withLock { $0 = 2000 }
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        #expect(host.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `a session of an earlier process that sleeps needs no machine to be read`() throws {
        let host = try StoredHost.hibernating(build: "1")
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/increment")
        host.advance(by: 70)
        let next = try StoredHost.hibernating(on: host.disk, after: 100, build: "1")
        #expect(next.send(.get, session).text.contains(#""version":1"#))
        #expect(next.awakeCount == 0)
        // Another build may show other outputs.
        let other = try StoredHost.hibernating(on: host.disk, after: 200, build: "2")
        #expect(other.send(.get, session).text.contains(#""version":1"#))
        #expect(other.awakeCount == 1)
        other.advance(by: 70)
        #expect(other.awakeCount == 0)
        #expect(other.send(.get, session).text.contains(#""dormant":true"#))
    }

    @Test func `a session of a process that crashed is read with its machine`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        host.advance(by: 70)
        _ = host.send(.post, session + "/inputs/increment")
        let next = try StoredHost.hibernating(on: host.disk, after: 100)
        #expect(next.send(.get, session).text.contains(#""version":1"#))
        #expect(next.awakeCount == 1)
    }

    @Test func `a session that was only read sleeps again without a new snapshot`() throws {
        let host = try StoredHost.hibernating()
        let session = host.makeSession()
        host.advance(by: 70)
        _ = host.send(.post, session + "/inputs/nothing", body: "1")
        _ = host.send(.post, session + "/inputs/unknown")
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        #expect(host.send(.get, session).text.contains(#""dormant":true"#))
    }

    /// `HIBERNATIONS=100000` runs more, and looks at the memory of the process, which must run no other test then.
    @Test(arguments: [true, false])
    func `a session that sleeps and wakes many times leaves nothing behind`(hasStream: Bool) throws {
        let number = ProcessInfo.processInfo.environment["HIBERNATIONS"].flatMap { Int($0) }
        let machines = Lock<[WeakMachine]>([])
        let definition = counter { machine in
            ScriptedState.capture(machine)
            let made = UnsafeTransfer(WeakMachine(machine))
            machines.withLock { $0.append(made.value) }
        }
        let host = try StoredHost.hibernating(of: definition) {
            $0.hibernateAfter = .seconds(1)
            $0.streamLifetime = nil
        }
        let session = host.makeSession()
        let client = try hasStream ? SilentClient(#require(host.openStream(session))) : nil
        func cycle() {
            _ = host.send(.post, session + "/inputs/set", body: "1")
            client?.read()
            host.harness.loop.advance(by: .seconds(3))
            host.store()
        }
        for _ in 0..<200 { cycle() }
        let memory = MemoryInUse.resident
        for _ in 0..<(number ?? 200) { cycle() }
        #expect(host.awakeCount == 0)
        #expect(host.slots.count == (hasStream ? 1 : 0))
        #expect(host.harness.host.streamCount == (hasStream ? 1 : 0))
        #expect(machines.withLock { $0.count { $0.machine != nil } } == 0)
        #expect(machines.withLock { $0.count } >= 400)
        #expect(host.harness.host.retainedByteCount == 0)
        if number != nil { #expect(MemoryInUse.resident - memory < 16 << 20) }
    }
}

/// A machine that a test does not keep alive.
private struct WeakMachine {
    weak var machine: ScriptedMachine?

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }
}

/// The client of a stream that forgets what it reads.
private final class SilentClient: HTTPBodyConsumer {
    private let stream: any HTTPBodyStream

    init(_ stream: any HTTPBodyStream) {
        self.stream = stream
        stream.start(self)
        read()
    }

    func bodyIsReady() {}

    func read() {
        var bytes: [UInt8] = []
        while case .more = stream.read(into: &bytes, limit: 4096) {}
    }
}
