/// The state of a part as it was last captured or restored, with its JSON in a ``StateText``.
struct StateCell<State> {
    /// The last state, for comparing bytes; nil if they do not show whether the state has changed. Until the machine is wired, the
    /// state that was restored.
    private var last: State?
    private var isRestored = false

    /// The state that was restored; nil after the wiring.
    var restored: State? { isRestored ? last : nil }

    /// Returns a stored state; nil if the part had ended.
    mutating func restore(
        _ json: ArraySlice<UInt8>, _ key: PartKey, _ text: inout StateText, _ codec: StateCodec<State>
    ) throws -> State? {
        guard let state = try text.restore(json, key, codec) else { return nil }
        last = state
        isRestored = true
        return state
    }

    /// Releases the restored state, which is in use now.
    mutating func forgetRestored(_ codec: StateCodec<State>) {
        if isRestored, !codec.comparesBytes { last = nil }
        isRestored = false
    }

    /// Releases the last state, whose JSON is not the last one any more.
    mutating func forgetLast() {
        last = nil
    }

    /// Appends a state if it differs from the last one. Returns the number of changes.
    mutating func appendIfChanged(
        _ state: State, _ key: PartKey, to bytes: inout [UInt8], _ text: inout StateText, _ codec: StateCodec<State>
    ) throws -> Int {
        if codec.comparesBytes, let last, StateComparison.hasSameBytes(last, state) { return 0 }
        // Unequal bytes may still be an equal state, such as an array that was copied.
        let hasChanged = try text.appendIfChanged(state, key, to: &bytes, codec)
        if codec.comparesBytes { last = state }
        return hasChanged ? 1 : 0
    }

    /// Appends a state, or nil for the end of the part, whether it has changed or not.
    func append(
        _ state: State?, _ key: PartKey, to bytes: inout [UInt8], _ text: StateText, _ codec: StateCodec<State>
    ) throws {
        guard let state else { return StateText.appendEndMark(key, to: &bytes) }
        // The last text, if it is known to be that of the state.
        if codec.comparesBytes, let last, text.isKnown, StateComparison.hasSameBytes(last, state) {
            return text.append(key, to: &bytes)
        }
        try StateText.append(state, key, to: &bytes, codec)
    }
}
