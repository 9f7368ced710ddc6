import HTTPModel
import Locking
import Testing

@testable import MachineHost

/// What happens before the disk is full.
struct DiskReserveTests {
    @Test func `inputs are refused below the reserve, and accepted again when there is room`() throws {
        let disk = TestDisk()
        disk.free.withLock { $0 = 2000 }
        let host = try StoredHost(on: disk, reserve: 1000)
        let session = host.makeSession()
        disk.free.withLock { $0 = 999 }
        host.advance(by: 2)
        // Found with the next commit.
        #expect(host.send(.post, session + "/inputs/increment").status == 200)
        let refused = host.send(.post, session + "/inputs/increment")
        #expect(refused.status == 507)
        #expect(refused.text.contains("/problems/disk-full"))
        #expect(host.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#).status == 507)
        #expect(host.send(.get, "/health/ready").status == 503)
        #expect(host.send(.get, "/health/live").status == 200)
        #expect(host.send(.get, session).status == 200)
        disk.free.withLock { $0 = 1000 }
        host.advance(by: 2)
        #expect(host.send(.get, "/health/ready").status == 200)
        #expect(host.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":2"#))
    }

    @Test func `a refused input with a key may be sent again`() throws {
        let disk = TestDisk()
        disk.free.withLock { $0 = 0 }
        let host = try StoredHost(on: disk)
        let session = host.makeSession()
        let full = try StoredHost(on: disk, reserve: 1)
        #expect(full.send(.post, session + "/inputs/increment", key: "k").status == 507)
        disk.free.withLock { $0 = 1 }
        full.advance(by: 2)
        let answer = full.send(.post, session + "/inputs/increment", key: "k")
        #expect(answer.status == 200)
        #expect(answer.response?.fields.contains(.idempotencyReplayed) == false)
    }

    @Test(arguments: [2999, 3000] as [Int64])
    func `what an operator adds leaves the reserve as it is`(free: Int64) throws {
        let disk = TestDisk()
        let host = try StoredHost(on: disk, reserve: 1000)
        disk.free.withLock { $0 = free }
        let failure = Lock<JournalError?>(nil)
        host.writer.withJournal { [writer = host.writer] journal in
            let summary = SessionSummary(
                id: StoredSessionID(high: 1, low: 2), machine: "scripted", version: 0, createdAt: 0, usedAt: 0,
                expiresAt: nil, wakesAt: nil, hasEnded: false)
            var batch = JournalBatch()
            batch.add(
                .store(SessionSnapshot(summary: summary, covers: 0, content: [UInt8](repeating: 7, count: 1000))))
            do {
                if let journal { try writer.storeForOperator(batch, in: journal) }
            } catch {
                failure.withLock { $0 = error as? JournalError }
            }
        }
        host.store()
        #expect(failure.withLock { $0?.kind } == (free == 2999 ? .full : nil))
        #expect(disk.entries.count == (free == 2999 ? 0 : 1))
        // The process goes on.
        #expect(disk.failures.withLock { $0 } == [])
    }

    @Test func `deleting is possible on a full disk`() throws {
        let disk = TestDisk()
        let session = try StoredHost(on: disk).makeSession()
        disk.free.withLock { $0 = 0 }
        #expect(try StoredHost(on: disk, reserve: 1).send(.delete, session).status == 204)
    }
}
