import HTTPModel

/// One output of one session: its last published value, and how to encode the current one. Adapters subclass it for
/// each kind of output. Confined to the session's loop.
open class OutputCell {
    // Unchecked exclusivity: the cell is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    /// The index of the output among its machine's outputs.
    public final let index: Int
    /// Whether the value is read at the end of every turn, marked or not: for a property that does not report its
    /// changes.
    public final let isReadEveryTurn: Bool
    /// Whether the value may have changed since the last turn ended.
    @exclusivity(unchecked) final var isMarked = false
    /// The maximum number of bytes that ``encode(into:)`` may append; a larger value ends the session. The host checks
    /// the size afterwards. A cell whose values can be much larger should check while it writes, and throw
    /// ``OutputTooLarge``.
    @exclusivity(unchecked) public final internal(set) var byteLimit = Int32.max
    /// The JSON of the value that clients last received; empty if none exists.
    @exclusivity(unchecked) final var shown: [UInt8] = []

    /// Creates a cell for the output at an index.
    public init(index: Int, isReadEveryTurn: Bool = false) {
        self.index = index
        self.isReadEveryTurn = isReadEveryTurn
    }

    /// Appends the JSON of the current, committed value. Appends nothing if there is no value yet. An output of kind
    /// `event` never has a value. Called at the end of a turn, never during an emission. Throws if the value cannot be
    /// encoded (an infinite number): the session then ends with an incident.
    open func encode(into json: inout [UInt8]) throws {
        preconditionFailure("\(Self.self) must override encode(into:)")
    }
}

extension OutputCell {
    /// Appends the value if clients have not received it yet, and stores it as received. Returns false if they have, or
    /// if there has never been a value.
    func update(into json: inout [UInt8]) throws -> Bool {
        let start = json.count
        try encode(into: &json)
        assert(json.count >= start, "expected encode(into:) to append, got \(start - json.count) bytes less")
        if json.count == start {
            // A value that no longer exists is sent as `null`, because a change cannot remove an output on the client.
            guard !shown.isEmpty else { return false }
            json.append("null")
        }
        json.removeLineEnds(from: start)
        let count = json.count - start
        guard count <= byteLimit else { throw OutputTooLarge(limit: Int(byteLimit)) }
        guard count != shown.count || !json[start...].elementsEqual(shown) else { return false }
        // Keeping the capacity lets a value that changes every turn be stored without an allocation.
        if max(count, shown.count) < SharedBytes.threshold {
            shown.removeAll(keepingCapacity: count <= shown.capacity)
            shown.append(copyOf: json, start..<json.count)
        } else {
            // An exact copy: a large value becomes shared, and a formerly large one must release its capacity.
            shown = Array(json[start...])
        }
        return true
    }
}
