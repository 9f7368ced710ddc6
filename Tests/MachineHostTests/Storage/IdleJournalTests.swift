import HTTPModel
import Locking
import MachineTesting
import Testing

@testable import MachineHost

/// What the journal's writer does while nothing is stored.
struct IdleJournalTests {
    @Test func `an idle journal is tidied within a minute after the last turn, until nothing is left to do`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.advance(by: 20)
        _ = host.send(.post, session + "/inputs/increment")
        #expect(host.disk.tidyings.withLock { $0 } == 0)
        host.advance(by: 60)
        #expect(host.disk.tidyings.withLock { $0 } == 3)
        host.advance(by: 300)
        #expect(host.disk.tidyings.withLock { $0 } == 3)
        _ = host.send(.delete, session)
        host.advance(by: 60)
        #expect(host.disk.tidyings.withLock { $0 } == 6)
    }

    @Test func `a busy journal is not tidied`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        for _ in 0..<30 {
            _ = host.send(.post, session + "/inputs/increment")
            host.advance(by: 10)
        }
        #expect(host.disk.tidyings.withLock { $0 } == 0)
    }

    @Test func `what an earlier process has left behind is tidied`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        let next = try StoredHost(on: host.disk, after: 5)
        next.advance(by: 60)
        #expect(host.disk.tidyings.withLock { $0 } == 3)
    }

    @Test func `an idle journal whose files were removed is found within seconds, and acknowledges nothing`() throws {
        let host = try StoredHost()
        let session = host.makeSession()
        host.advance(by: 300)
        #expect(host.disk.failures.withLock { $0 } == [])
        host.disk.isRemoved.withLock { $0 = true }
        host.advance(by: 10)
        #expect(host.disk.failures.withLock { $0 } == ["expected the files of the journal, got none"])
        #expect(host.send(.post, session + "/inputs/increment").response == nil)
        host.advance(by: 100)
        #expect(host.disk.failures.withLock { $0.count } == 1)
    }

    @Test func `the files of a suspended journal are verified again when it is resumed`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        host.suspend()
        host.store()
        host.disk.isRemoved.withLock { $0 = true }
        host.advance(by: 100)
        #expect(host.disk.failures.withLock { $0 } == [])
        host.resume()
        host.store()
        host.advance(by: 10)
        #expect(host.disk.failures.withLock { $0.count } == 1)
    }

    @Test func `a suspended journal is left alone`() throws {
        let host = try StoredHost()
        _ = host.makeSession()
        host.suspend()
        host.advance(by: 120)
        #expect(host.disk.tidyings.withLock { $0 } == 0)
    }
}
