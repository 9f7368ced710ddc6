/// The state of a part as it was last captured or restored, with its JSON in a ``StateText``.
struct StateCell<State> {
    private let codec: StateCodec<State>
    /// The last state, for comparing bytes; nil if they do not show whether the state has changed.
    private var last: State?
    /// The state that was restored, until the machine is wired.
    // In an object, because it takes no memory afterwards.
    private var restoration: Restoration?

    private final class Restoration {
        let state: State

        init(_ state: State) { self.state = state }
    }

    init(_ codec: StateCodec<State>) { self.codec = codec }

    /// Whether the bytes of the last state show whether the state has changed.
    var comparesBytes: Bool { codec.comparesBytes }

    /// The state that was restored; nil after the wiring.
    var restored: State? { restoration?.state }

    /// Returns a stored state; nil if the part had ended.
    mutating func restore(_ json: ArraySlice<UInt8>, _ text: inout StateText) throws -> State? {
        var kept = text
        guard let content = kept.restore(json) else {
            text = kept
            return nil
        }
        let state = try codec.restore(content)
        text = kept
        restoration = Restoration(state)
        if comparesBytes { last = state }
        return state
    }

    /// Releases the restored state, which is in use now.
    mutating func forgetRestored() {
        restoration = nil
    }

    /// Releases the last state, whose JSON is not the last one any more.
    mutating func forgetLast() {
        last = nil
    }

    /// Appends a state if it differs from the last one. Returns the number of changes.
    mutating func appendIfChanged(
        _ state: State, _ key: PartKey, to bytes: inout [UInt8], _ text: inout StateText
    ) throws -> Int {
        if comparesBytes, let last, StateComparison.hasSameBytes(last, state) { return 0 }
        // Unequal bytes may still be an equal state, such as an array that was copied.
        let hasChanged = try text.appendIfChanged(key, to: &bytes) { json in
            try codec.appendState(state, to: &json)
            return true
        }
        if comparesBytes { last = state }
        return hasChanged ? 1 : 0
    }

    /// Appends a state, or nil for the end of the part, whether it has changed or not.
    func append(_ state: State?, _ key: PartKey, to bytes: inout [UInt8], _ text: StateText) throws {
        guard let state else { return StateText.append(key, to: &bytes) { StateText.appendEndMark(to: &$0) } }
        // The last text, if it is known to be that of the state.
        if comparesBytes, let last, text.isKnown, StateComparison.hasSameBytes(last, state) {
            return text.append(key, to: &bytes)
        }
        try StateText.append(key, to: &bytes) { json in
            json.append(UInt8(ascii: "["))
            try codec.appendState(state, to: &json)
            json.append(UInt8(ascii: "]"))
        }
    }
}
