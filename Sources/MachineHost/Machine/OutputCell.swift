/// One output of one session: what it shows now, and how to write it. Adapters make a subclass for each kind of output.
/// Confined to the session's loop.
open class OutputCell {
    /// The output's place among its machine's outputs.
    public final let index: Int
    /// Whether the value is asked for at the end of every turn, marked or not: for a property that tells nobody when it
    /// changes.
    public final let isReadEveryTurn: Bool
    /// Whether something was sent since the last turn ended.
    @exclusivity(unchecked) final var isMarked = false
    /// The most bytes that ``encode(into:)`` may append. A value of more ends the session. The host looks at what was
    /// appended; a cell whose values can be much larger should look earlier, and throw ``OutputTooLarge``.
    @exclusivity(unchecked) public final internal(set) var byteLimit = Int32.max
    /// The JSON of the value as clients last saw it; empty while there is none.
    @exclusivity(unchecked) final var shown: [UInt8] = []

    /// The cell of the output at that place.
    public init(index: Int, isReadEveryTurn: Bool = false) {
        self.index = index
        self.isReadEveryTurn = isReadEveryTurn
    }

    /// Appends the JSON of the current, committed value; appends nothing where there is none yet, which an output of kind
    /// `event` never has. Called at the end of a turn, never inside an emission. Throws if the value cannot be written (a
    /// number that is none): the session then ends with an incident.
    open func encode(into json: inout [UInt8]) throws {
        preconditionFailure("\(Self.self) has to say how it is written")
    }
}
