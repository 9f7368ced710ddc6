/// The buffers of a loop, which its turns use one after another, so that small content allocates nothing. Confined to its loop.
struct TurnBuffers {
    /// The capacity that fits every change that is not large.
    private static let maxBytes = 2 * SharedText.threshold

    /// The text of the change that the last turn has made, until the next turn. Nobody reads a large change from here: it has its own text.
    private(set) var change: [UInt8] = []
    /// The states that the last turn of a stored session has changed, until they are forgotten.
    private(set) var states: [UInt8] = []

    /// Returns the buffer for the change of a turn, empty.
    mutating func takeChange() -> [UInt8] {
        var taken: [UInt8] = []
        // Moving it out keeps the buffer uniquely referenced, so that appending does not copy it.
        swap(&taken, &change)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    /// Takes the buffer back with its content.
    mutating func setChange(_ text: [UInt8]) {
        guard text.capacity > TurnBuffers.maxBytes else {
            change = text
            return
        }
        // A large value must not pin its memory to the loop.
        change = text.count <= SharedText.threshold ? Array(text[...]) : []
    }

    /// Returns the buffer for the states of a turn, empty.
    mutating func takeStates() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &states)
        taken.removeAll(keepingCapacity: true)
        return taken
    }

    /// Takes the buffer back with its content.
    mutating func setStates(_ taken: [UInt8]) { states = taken }

    /// Forgets the states.
    mutating func emptyStates() { states.removeAll(keepingCapacity: states.capacity <= TurnBuffers.maxBytes) }
}
