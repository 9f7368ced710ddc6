import StateCapture

/// The stored side of a session that outlives its process. Confined to the session's loop.
final class SessionStorage {
    // Unchecked exclusivity: see `Session`.
    /// The id under which the session is stored.
    let id: StoredSessionID
    /// The state of the machine.
    let registry: StateRegistry
    /// The number of the session's last row; 0 if none exists.
    @exclusivity(unchecked) var lastRow: UInt64 = 0
    /// When the session must be woken according to its last row or snapshot, in milliseconds since 1970; nil if it need not.
    @exclusivity(unchecked) var wakesAt: Int64?
    /// Whether the session is stored as one that sleeps, and nothing was stored since.
    @exclusivity(unchecked) var isStoredAsleep = false
    /// The stored time of the last input, in milliseconds since 1970.
    @exclusivity(unchecked) var lastInput: Int64 = 0
    /// Whether the session and its registry contain everything that a snapshot does. If not, the writer makes snapshots of the one
    /// before and the rows after it.
    var isComplete = true
    /// Whether the journal knows the session.
    var isStored = false
    /// The size of the rows since the last snapshot.
    @exclusivity(unchecked) var bytesSinceSnapshot = 0
    @exclusivity(unchecked) var rowsSinceSnapshot = 0

    init(id: StoredSessionID, registry: StateRegistry) {
        self.id = id
        self.registry = registry
    }

    /// Returns whether a snapshot is due.
    func needsSnapshot(after turns: Int, orBytes bytes: Int) -> Bool {
        assert(
            rowsSinceSnapshot > 0 || bytesSinceSnapshot == 0,
            "expected no bytes without rows, got \(bytesSinceSnapshot)")
        return rowsSinceSnapshot >= turns || bytesSinceSnapshot >= bytes
    }
}
