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

    @Test func `deleting is possible on a full disk`() throws {
        let disk = TestDisk()
        let session = try StoredHost(on: disk).makeSession()
        disk.free.withLock { $0 = 0 }
        #expect(try StoredHost(on: disk, reserve: 1).send(.delete, session).status == 204)
    }
}
