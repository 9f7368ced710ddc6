import HTTPModel
import MachineTesting

@testable import MachineHost

extension HostHarness {
    /// The session at that path.
    func session(at path: String) -> Session? {
        guard case .session(let id) = Route(target: path) else { return nil }
        return shard.sessions[id]
    }

    /// How many bytes a session holds for its history.
    func historyCapacity(of path: String) -> Int { session(at: path)?.history.capacity ?? 0 }
}
