import Locking
import MachineTesting

@testable import MachineHost

extension StoredHost {
    /// Ends a session for an operator. The result is there when its entry was read.
    func end(_ summary: SessionSummary) -> Lock<Bool?> {
        let ended = Lock<Bool?>(nil)
        harness.shard.end(summary) { isEnded in ended.withLock { $0 = isEnded } }
        return ended
    }
}
