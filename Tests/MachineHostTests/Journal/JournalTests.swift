import HTTPModel
import JournalTesting
import Locking
import MachineTesting
import Testing

@testable import MachineHost

struct JournalTests {
    @Test
    func `a journal may have neither maintenance nor files, and then no reserve applies to it`() throws {
        let host = try StoredHost(opens: false, reserve: .max)
        let journal = UnsafeTransfer(SimulatedJournal())
        host.writer.open {
            journal.value
        } opened: { [disk = host.disk] error in
            if let error { disk.failures.withLock { $0.append("\(error)") } }
        }
        host.store()
        let session = host.makeSession()
        // More than the commits after which a journal is maintained, and time in which an idle one is tidied and verified.
        for _ in 0..<100 { #expect(host.send(.post, session + "/inputs/increment").status == 200) }
        host.advance(by: 120)
        #expect(host.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":101"#))
        #expect(host.disk.failures.withLock { $0 } == [])
        #expect(journal.value.commits > 100)
    }
}
