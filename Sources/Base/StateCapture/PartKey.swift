import Locking

/// The key of a part or a member with the beginning of its changes.
///
/// The sessions of a machine have the same keys, so they share them: two texts for each part would take more memory than the states
/// of most.
class PartKey {
    /// The key.
    final let text: String
    /// The beginning of each change: the length of the key, and the key.
    final let head: [UInt8]

    /// Creates a key that belongs to one session, such as one with the number of a value.
    init(_ text: String) {
        self.text = text
        head = StateChanges.head(text)
    }

    /// Returns the key that all sessions share.
    ///
    /// - Parameter make: Creates the key if no session has had it.
    static func shared<Key: PartKey>(_ text: String, _ make: () -> Key) -> Key {
        known.withLock { known in
            let id = ID(text: text, type: ObjectIdentifier(Key.self))
            if let key = known[id]?.key as? Key { return key }
            let key = make()
            if known.count < maxCount { known[id] = Known(key: key) }
            return key
        }
    }

    /// Returns the first JSON of a part with this key as all sessions share it.
    ///
    /// The operators of most sessions begin with the same states, and many keep them.
    final func shared(_ json: ArraySlice<UInt8>) -> [UInt8] {
        guard json.count <= PartKey.maxSharedBytes else { return Array(json) }
        return PartKey.known.withLock { known in
            let id = ID(text: text, type: ObjectIdentifier(type(of: self)))
            guard let first = known[id]?.json else { return Array(json) }
            if first[...] == json { return first }
            let json = Array(json)
            if first.isEmpty { known[id]?.json = json }
            return json
        }
    }

    private struct ID: Hashable {
        let text: String
        let type: ObjectIdentifier
    }

    private struct Known {
        let key: PartKey
        /// The first JSON of any session.
        var json: [UInt8] = []
    }

    /// The maximum number of shared keys. A machine may make as many operators as the parameters of a session say.
    static let maxCount = 10_000
    /// The maximum size of shared JSON. A session's own state is longer, and would be kept for nobody else.
    private static let maxSharedBytes = 256
    private static let known = Lock<[ID: Known]>([:])
}

/// The key of a part that is an object, with the codec of its state.
final class CodedKey<State>: PartKey {
    let codec: StateCodec<State>

    init(_ text: String, _ codec: StateCodec<State>) {
        self.codec = codec
        super.init(text)
    }
}
