/// One output of one session: its last published value, and how to encode the current one. Adapters subclass it for
/// each kind of output. Confined to the session's loop.
open class OutputCell {
    /// The index of the output among its machine's outputs.
    public final let index: Int
    /// Whether the value is read at the end of every turn, marked or not: for a property that does not announce its
    /// changes.
    public final let isReadEveryTurn: Bool
    /// Whether the value may have changed since the last turn ended.
    final var isMarked = false
    /// The most bytes that ``encode(into:)`` may append; a larger value ends the session. The host checks the size
    /// afterwards. A cell whose values can be much larger should check while it writes, and throw ``OutputTooLarge``.
    public final internal(set) var byteLimit = Int32.max
    /// The JSON of the value that clients last received; empty if there is none.
    final var shown: [UInt8] = []

    /// Creates a cell for the output at an index.
    public init(index: Int, isReadEveryTurn: Bool = false) {
        self.index = index
        self.isReadEveryTurn = isReadEveryTurn
    }

    /// Appends the JSON of the current, committed value. Appends nothing if there is none yet, which is always so for
    /// an output of kind `event`. Called at the end of a turn, never during an emission. Throws if the value cannot be
    /// encoded (an infinite number): the session then ends with an incident.
    open func encode(into json: inout [UInt8]) throws {
        preconditionFailure("\(Self.self) has to say how it is written")
    }
}
