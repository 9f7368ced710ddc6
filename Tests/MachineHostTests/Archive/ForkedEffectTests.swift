import CombineCore
import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// The effects of copied sessions.
struct ForkedEffectTests {
    private let service = FakeService()

    private func archive(_ host: StoredHost) throws -> (SessionArchive, MemoryJournal) {
        let journal = MemoryJournal()
        var batch = JournalBatch()
        for entry in host.disk.entries {
            guard let snapshot = entry.snapshot else { continue }
            batch.add(.store(snapshot))
            var previous: UInt64 = 0
            for row in entry.rows {
                batch.append(session: snapshot.summary.id, number: row.number, previous: previous, wakesAt: row.wakesAt)
                {
                    $0.append(contentsOf: row.content)
                }
                previous = row.number
            }
        }
        try journal.commit(batch, isFlushed: true)
        return (SessionArchive(DirectJournalAccess(journal)) { WallTime(seconds: 1_767_225_600) }, journal)
    }

    /// Returns a disk with the sessions of a journal.
    private func disk(_ journal: MemoryJournal, _ ids: [StoredSessionID]) throws -> TestDisk {
        let disk = TestDisk()
        var batch = JournalBatch()
        for id in ids { if let snapshot = try journal.load(id)?.snapshot { batch.add(.store(snapshot)) } }
        disk.content.withLock { [batch] in $0.apply(batch) }
        return disk
    }

    private func name(_ session: String) -> String { String(session.dropFirst("/v1/sessions/".count)) }

    private func fork(_ host: StoredHost, _ session: String, at version: UInt64? = nil) throws -> (String, TestDisk) {
        let (archive, journal) = try archive(host)
        let fork = try archive.fork(name(session), at: version)
        let id = try #require(SessionID(text: fork))
        return ("/v1/sessions/" + fork, try disk(journal, [StoredSessionID(of: id)]))
    }

    @Test func `the open effects of a fork fail, and are never asked`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let (session, disk) = try fork(host, host.makeSession())
        let next = try StoredHost(on: disk, of: .askingOnce(service))
        _ = next.send(.get, session)
        let text = next.send(.get, session).text
        #expect(text.contains(#""failure":"the process ended before the effect was answered""#), "\(text)")
        #expect(text.contains(#""interrupted":"search""#))
        #expect(!text.contains("inProgress"))
        #expect(service.questions == ["swift"])
        let third = try StoredHost(on: disk, of: .askingOnce(service))
        #expect(third.send(.get, session).text == text)
        #expect(service.questions.count == 1)
    }

    @Test func `a fork of the moment before an answer fails, although the answer is known`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let original = host.makeSession()
        service.answer(0, "found")
        host.harness.loop.run()
        host.store()
        let (session, disk) = try fork(host, original, at: 0)
        let next = try StoredHost(on: disk, of: .askingOnce(service))
        _ = next.send(.get, session)
        #expect(next.send(.get, session).text.contains(#""interrupted":"search""#))
        #expect(service.questions.count == 1)
    }

    @Test func `an effect that cannot fail ends without an answer in a fork`() throws {
        let definition = MachineDefinition.searching { [service] search in
            let ask: (String) -> AnyPublisher<String, Never> = search.machine.context.effect("search") {
                (question: String) in
                service.ask(question).catch { _ in Empty<String, Never>() }
            }
            search.show(ask("swift").setFailureType(to: (any Error).self))
        }
        let host = try StoredHost(of: definition)
        let (session, disk) = try fork(host, host.makeSession())
        let next = try StoredHost(on: disk, of: definition)
        _ = next.send(.get, session)
        let text = next.send(.get, session).text
        #expect(text.contains(#""interrupted":"search""#))
        #expect(!text.contains("failure"))
        #expect(service.questions.count == 1)
    }

    @Test func `new effects of a fork are asked`() throws {
        let host = try StoredHost(of: .askingLatest(service))
        let (session, disk) = try fork(host, host.makeSession())
        let next = try StoredHost(on: disk, of: .askingLatest(service))
        _ = next.send(.post, session + "/inputs/ask", body: "1")
        #expect(service.questions == ["1"])
    }

    @Test func `the timers of a fork continue, as they were at its moment`() throws {
        let host = try StoredHost(of: .ticking)
        let original = host.makeSession()
        host.advance(by: 2)
        let (session, disk) = try fork(host, original, at: 1)
        #expect(disk.entries.first?.snapshot?.summary.wakesAt == 1_767_225_602_000)
        let next = try StoredHost(on: disk, after: 2, of: .ticking)
        _ = next.send(.get, session)
        #expect(next.send(.get, session).text.contains(#""answer":"00""#))
    }

    @Test func `the effects of an imported session are asked again with their keys`() throws {
        let host = try StoredHost(of: .askingOnce(service))
        let session = host.makeSession()
        let (archive, journal) = try archive(host)
        let file = try archive.export(name(session))
        try archive.delete(name(session))
        _ = try archive.importSession(file)
        let id = try #require(SessionID(text: name(session)))
        let next = try StoredHost(on: try disk(journal, [StoredSessionID(of: id)]), of: .askingOnce(service))
        _ = next.send(.get, session)
        #expect(service.attempts == [1, 2])
        #expect(Set(service.keys).count == 1)
    }
}
