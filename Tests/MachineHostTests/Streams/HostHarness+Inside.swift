import HTTPModel
import MachineTesting

@testable import MachineHost

extension HostHarness {
    /// Returns the session at the given path.
    func session(at path: String) -> Session? {
        guard case .session(let id) = Route(target: path) else { return nil }
        return shard.sessions[id]
    }

    /// The number of bytes that a session's history occupies.
    func historyCapacity(of path: String) -> Int { session(at: path)?.history.capacity ?? 0 }
}
