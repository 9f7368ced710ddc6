/// The state under one key as it was last captured or restored.
struct StateCell<State> {
    let key: String
    let codec: StateCodec<State>
    /// Whether the bytes of the last state show whether the state has changed.
    let comparesBytes: Bool
    /// The beginning of each of the part's changes.
    private let head: [UInt8]
    /// The last state, for comparing bytes; nil if they do not show whether the state has changed.
    private var last: State?
    /// The JSON of the last state; empty before the first one.
    private var text: [UInt8] = []
    /// The state that was restored, until the machine is wired.
    private(set) var restored: State?

    private static var end: String.UTF8View { "null".utf8 }

    init(key: String, _ codec: StateCodec<State>) {
        self.key = key
        self.codec = codec
        head = StateChanges.head(key)
        comparesBytes = StateComparison.isSound(for: State.self)
    }

    /// Whether the part has ended.
    // The text of any other state begins with a bracket.
    var hasEnded: Bool { text.first == UInt8(ascii: "n") }

    /// Returns a stored state; nil if the part had ended.
    mutating func restore(_ json: ArraySlice<UInt8>) throws -> State? {
        if json.elementsEqual(Self.end) {
            text = Array(json)
            return nil
        }
        let state = try codec.decode(json.dropFirst().dropLast())
        text = Array(json)
        restored = state
        if comparesBytes { last = state }
        return state
    }

    /// Releases the restored state, which is in use now.
    mutating func forgetRestored() {
        restored = nil
    }

    /// Appends a state, or nil for the end of the part, if it differs from the last one. Returns the number of changes.
    mutating func appendIfChanged(_ state: State?, to bytes: inout [UInt8]) throws -> Int {
        guard let state else {
            if hasEnded { return 0 }
            last = nil
            text = Array(Self.end)
            StateChanges.append(key, to: &bytes) { $0.append(contentsOf: Self.end) }
            return 1
        }
        if comparesBytes, let last, StateComparison.hasSameBytes(last, state) { return 0 }
        let hasChanged = try StateChanges.appendIfChanged(head, to: &bytes) { json in
            let start = json.count
            // In an array, because a state may itself be `null`, which is the mark of a part that has ended.
            json.append(UInt8(ascii: "["))
            try codec.encode(state, &json)
            json.append(UInt8(ascii: "]"))
            // Unequal bytes may still be an equal state, such as an array that was copied.
            if text[...] == json[start...] { return false }
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: json[start...])
            return true
        }
        if comparesBytes { last = state }
        return hasChanged ? 1 : 0
    }

    /// Appends the state that fields describe if it differs from the last one.
    ///
    /// - Parameter read: Runs a closure that reads the fields. Returns false if the part has ended, and nil if it cannot do that.
    /// - Returns: The number of changes; nil if the state must be made.
    mutating func appendIfChanged(
        _ fields: DirectFields, to bytes: inout [UInt8], _ read: (() -> Void) -> Bool?
    ) throws -> Int? {
        var isRead: Bool?
        let hasChanged = StateChanges.appendIfChanged(head, to: &bytes) { json in
            let start = json.count
            json.append(UInt8(ascii: "["))
            isRead = read { fields.append(to: &json) }
            guard isRead == true else { return false }
            json.append(UInt8(ascii: "]"))
            if text[...] == json[start...] { return false }
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: json[start...])
            return true
        }
        guard let isRead else { return nil }
        // The fields retain their last values.
        last = nil
        return isRead ? (hasChanged ? 1 : 0) : try appendIfChanged(nil, to: &bytes)
    }

    /// Appends a state, or nil for the end of the part. Returns the number of states, which is 1.
    func append(_ state: State?, to bytes: inout [UInt8]) throws -> Int {
        _ = try StateChanges.appendIfChanged(key, to: &bytes) { json in
            guard let state else {
                json.append(contentsOf: Self.end)
                return true
            }
            // The last text, if it is known to be that of the state.
            if comparesBytes, let last, !text.isEmpty, StateComparison.hasSameBytes(last, state) {
                json.append(contentsOf: text)
                return true
            }
            json.append(UInt8(ascii: "["))
            try codec.encode(state, &json)
            json.append(UInt8(ascii: "]"))
            return true
        }
        return 1
    }
}
