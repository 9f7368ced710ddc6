import Locking

/// The key of a part or a member with the beginning of its changes.
///
/// The sessions of a machine have the same keys, so they share them: two texts for each part would take more memory than the states
/// of most.
final class PartKey: Sendable {
    /// The key.
    let text: String
    /// The beginning of each change: the length of the key, and the key.
    let head: [UInt8]

    /// Creates a key that belongs to one session, such as one with the number of a value.
    init(_ text: String) {
        self.text = text
        head = StateChanges.head(text)
    }

    /// Returns the key that all sessions share.
    static func shared(_ text: String) -> PartKey {
        known.withLock { known in
            if let key = known[text] { return key }
            let key = PartKey(text)
            if known.count < maxCount { known[text] = key }
            return key
        }
    }

    /// The maximum number of shared keys. A machine may make as many operators as the parameters of a session say.
    private static let maxCount = 10_000
    private static let known = Lock<[String: PartKey]>([:])
}
