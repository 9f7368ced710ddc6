import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// Epochs after a loss of what clients may have seen.
struct GenerationTests {
    private let disk = TestDisk()

    private func process(_ durability: Durability = .process, boot: String?) throws -> StoredHost {
        try StoredHost(on: disk, durability: durability, boot: boot)
    }

    /// Returns the epoch that a stream shows, and how the stream begins after a position.
    private func stream(_ host: StoredHost, _ session: String, after id: String? = nil) throws -> (String, String) {
        let follower = try #require(host.stream(session, after: id))
        follower.read()
        let first = try #require(follower.events.first)
        return (String(first.id.prefix(6)), first.event)
    }

    @Test func `after a start of the system, sessions that were not flushed have a new epoch`() throws {
        let host = try process(boot: "a")
        let (first, second) = (host.makeSession(), host.makeSession())
        let (epoch, _) = try stream(host, first)
        let other = try stream(host, second).0
        let restarted = try process(boot: "a")
        #expect(try stream(restarted, first, after: epoch + ".0") == (epoch, "resume"))
        let rebooted = try process(boot: "b")
        let (newEpoch, beginning) = try stream(rebooted, first, after: epoch + ".0")
        #expect(newEpoch != epoch)
        #expect(beginning == "snapshot")
        // Each session has its own, which lasts as long as the system runs.
        #expect(try stream(rebooted, second).0 != other)
        let created = rebooted.makeSession()
        let createdEpoch = try stream(rebooted, created).0
        let again = try process(boot: "b")
        #expect(try stream(again, first, after: newEpoch + ".0") == (newEpoch, "resume"))
        #expect(try stream(again, created).0 == createdEpoch)
        #expect(again.send(.post, first + "/inputs/increment").text.hasPrefix(#"{"version":1"#))
    }

    @Test func `a run of the system that is not known is taken for another one`() throws {
        let host = try process(boot: nil)
        let session = host.makeSession()
        let epoch = try stream(host, session).0
        #expect(try stream(try process(boot: nil), session).0 != epoch)
    }

    @Test func `sessions that were flushed keep their epochs`() throws {
        let host = try process(.disk, boot: "a")
        let session = host.makeSession()
        let epoch = try stream(host, session).0
        #expect(try stream(try process(.disk, boot: "b"), session).0 == epoch)
    }

    @Test func `what was not flushed counts also when the durability has changed`() throws {
        let host = try process(boot: "a")
        let session = host.makeSession()
        let epoch = try stream(host, session).0
        let next = try process(.disk, boot: "b")
        let newEpoch = try stream(next, session).0
        #expect(newEpoch != epoch)
        #expect(try stream(try process(.disk, boot: "c"), session).0 == newEpoch)
    }

    @Test func `the sessions of a copy have new epochs`() throws {
        let host = try process(.disk, boot: "a")
        let session = host.makeSession()
        let epoch = try stream(host, session).0
        markAsCopy()
        let (newEpoch, _) = try stream(try process(.disk, boot: "a"), session)
        #expect(newEpoch != epoch)
        #expect(try stream(try process(.disk, boot: "a"), session).0 == newEpoch)
    }

    @Test func `after a restore, neither an entity tag nor a version from before matches`() throws {
        let host = try process(.disk, boot: "a")
        let session = host.makeSession()
        let tag = try #require(host.send(.get, session).response?.fields[.eTag])
        // The version alone is as good as long as there is one history.
        let restarted = try process(.disk, boot: "b")
        for known in [tag, "\"0\""] as [HTTPFieldValue] {
            #expect(restarted.send(.get, session, fields: [.ifNoneMatch: known]).status == 304)
        }
        markAsCopy()
        let restored = try process(.disk, boot: "b")
        for former in [tag, "\"0\""] as [HTTPFieldValue] {
            #expect(restored.send(.get, session, fields: [.ifNoneMatch: former]).status == 200)
            let refused = restored.send(.post, session + "/inputs/increment", fields: [.ifMatch: former])
            #expect(refused.status == 412)
            let current = try #require(refused.response?.fields[.eTag])
            #expect(current != tag && current == restored.send(.get, session).response?.fields[.eTag])
            #expect(restored.send(.get, session, fields: [.ifNoneMatch: current]).status == 304)
        }
        // A new snapshot does not forget it, and a session that began since has one history.
        restored.harness.shard.renewSnapshot(of: try #require(restored.harness.session(at: session)))
        restored.store()
        let created = restored.makeSession()
        let next = try process(.disk, boot: "b")
        #expect(next.send(.post, session + "/inputs/increment", fields: [.ifMatch: "\"0\""]).status == 412)
        #expect(next.send(.post, created + "/inputs/increment", fields: [.ifMatch: "\"0\""]).status == 200)
        markAsCopy()
        let last = try process(.disk, boot: "b")
        #expect(last.send(.get, session, fields: [.ifNoneMatch: "\"0\""]).status == 200)
        #expect(last.send(.get, created, fields: [.ifNoneMatch: "\"1\""]).status == 200)
    }

    @Test func `a session of an older build has one history until a restore`() throws {
        var stored = StoredSession(machine: "a", epoch: Epoch(bits: 5), created: 0, lastInput: 0, version: 0)
        #expect(try StoredSession(stored.content[...]) == stored)
        #expect(stored.firstGeneration == Epoch(bits: 0).number)
        stored.firstGeneration = Epoch(bits: .max).number
        stored.epoch = Epoch(bits: .max)
        #expect(try StoredSession(stored.content[...]) == stored)
    }

    /// Does what restoring a backup does.
    private func markAsCopy() {
        disk.content.withLock { content in
            var batch = JournalBatch()
            batch.add(.set(property: JournalProperty.copied, value: [1]))
            content.apply(batch)
        }
    }

    @Test func `the system tells its run`() {
        #expect(SystemBoot.id()?.count == 36)
    }
}
