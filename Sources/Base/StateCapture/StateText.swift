import CRuntime

/// The JSON of one state as it was last captured or restored.
// Not generic, unlike ``StateCell``: most captures need nothing else, and code that is not specialized spends its time on looking up
// the metadata of types.
struct StateText {
    /// The JSON; empty before the first state.
    private var json: [UInt8] = []

    private static var end: String.UTF8View { "null".utf8 }

    /// The size of the JSON.
    var byteCount: Int { json.count }

    /// Whether there is a last state.
    var isKnown: Bool { !json.isEmpty }

    /// Whether the part has ended.
    // The text of any other state begins with a bracket.
    var hasEnded: Bool { json.first == UInt8(ascii: "n") }

    /// - Returns: The JSON of the state itself; nil if the part had ended.
    private mutating func restore(_ stored: ArraySlice<UInt8>, _ key: PartKey) -> ArraySlice<UInt8>? {
        json = key.shared(stored)
        return stored.elementsEqual(StateText.end) ? nil : stored.dropFirst().dropLast()
    }

    /// Keeps stored JSON.
    ///
    /// - Returns: The state; nil if the part had ended.
    /// - Throws: The error of the codec. The former JSON is still the last one then.
    mutating func restore<State>(
        _ stored: ArraySlice<UInt8>, _ key: PartKey, _ codec: StateCodec<State>
    ) throws -> State? {
        var kept = self
        let state = try kept.restore(stored, key).map { try codec.restore($0) }
        self = kept
        return state
    }

    /// Appends a state if it differs from the last one. Returns whether it does.
    mutating func appendIfChanged<State>(
        _ state: State, _ key: PartKey, to bytes: inout [UInt8], _ codec: StateCodec<State>
    ) throws -> Bool {
        try appendIfChanged(key, to: &bytes) { json in
            try codec.appendState(state, to: &json)
            return true
        }
    }

    /// Appends the state that a closure writes if it differs from the last one. Returns whether it does; false if the closure returns
    /// false.
    mutating func appendIfChanged(
        _ key: PartKey, to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Bool
    ) rethrows -> Bool {
        try StateChanges.appendIfChanged(key.head, to: &bytes) { text in
            let start = text.count
            // In an array, because a state may itself be `null`, which is the mark of a part that has ended.
            text.append(UInt8(ascii: "["))
            guard try write(&text) else { return false }
            text.append(UInt8(ascii: "]"))
            if isLast(text, from: start) { return false }
            let size = text.count - start
            if json.isEmpty {
                json = key.shared(text[start...])
                // Not after a text that was much longer, whose memory would be kept.
            } else if (size...2 * size + 256).contains(json.capacity) {
                json.removeAll(keepingCapacity: true)
                json.append(contentsOf: text[start...])
            } else {
                // Exactly as long, where an append would double the capacity.
                json = Array(text[start...])
            }
            return true
        }
    }

    /// Appends the end of the part unless it was the last state. Returns the number of changes.
    mutating func appendEnd(_ key: PartKey, to bytes: inout [UInt8]) -> Int {
        if hasEnded { return 0 }
        json = Array(StateText.end)
        append(key, to: &bytes)
        return 1
    }

    /// Appends the last state.
    func append(_ key: PartKey, to bytes: inout [UInt8]) {
        StateText.append(key, to: &bytes) { $0.append(contentsOf: json) }
    }

    private static func append(
        _ key: PartKey, to bytes: inout [UInt8], _ write: (inout [UInt8]) throws -> Void
    ) rethrows {
        _ = try StateChanges.appendIfChanged(key.head, to: &bytes) { text in
            try write(&text)
            return true
        }
    }

    /// Appends a state, which does not become the last one.
    static func append<State>(
        _ state: State, _ key: PartKey, to bytes: inout [UInt8], _ codec: StateCodec<State>
    ) throws {
        try append(key, to: &bytes) { json in
            json.append(UInt8(ascii: "["))
            try codec.appendState(state, to: &json)
            json.append(UInt8(ascii: "]"))
        }
    }

    /// Appends the mark of a part that has ended.
    static func appendEndMark(_ key: PartKey, to bytes: inout [UInt8]) {
        append(key, to: &bytes) { $0.append(contentsOf: end) }
    }

    private func isLast(_ text: [UInt8], from start: Int) -> Bool {
        guard json.count == text.count - start else { return false }
        return text.withUnsafeBytes { text in
            json.withUnsafeBytes { json in
                guard let text = text.baseAddress, let json = json.baseAddress else { return true }
                return granary_is_same(text + start, json, self.json.count)
            }
        }
    }
}
