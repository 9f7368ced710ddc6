/// All outputs of one session, and what they did since the last turn ended. Confined to the session's loop, but for
/// ``perform(_:)``.
public final class OutputBoard {
    /// The cells, by index.
    public private(set) var cells: [OutputCell] = []
    /// Events sent since the last turn ended: `{"output":…,"value":…}`, comma-separated.
    var emitted: [UInt8] = []
    let context: SessionContext

    /// The outputs of the session that the context belongs to; none yet.
    public init(context: SessionContext) {
        self.context = context
    }

    /// Adds the next output. Its index has to be its place.
    public func add(_ cell: OutputCell) {
        precondition(cell.index == cells.count, "the cell of output \(cells.count) was expected, \(cell.index) came")
        cells.append(cell)
    }
}
