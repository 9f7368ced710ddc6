import HTTPModel
import Locking
import Log

/// All outputs of one session, and what they did since the last turn ended. Confined to the session's loop, but for
/// ``isOnLoop`` and ``perform(_:)``.
public final class OutputBoard {
    /// The cells, by index.
    @exclusivity(unchecked) public private(set) var cells: [OutputCell] = []
    /// Events sent since the last turn ended.
    @exclusivity(unchecked) private(set) var emissions = Emissions()
    /// Whether a cell was marked or an event sent since the last turn ended.
    @exclusivity(unchecked) private(set) var isDirty = false
    /// Whether there is a cell that is read every turn.
    @exclusivity(unchecked) private(set) var readsEveryTurn = false
    /// Whether a turn is under way, at whose end the outputs are read anyhow. So it is until the machine has been made.
    @exclusivity(unchecked) var isInTurn = true
    /// Whether the session has ended, so that nothing matters any more.
    @exclusivity(unchecked) var isClosed = false
    /// What went wrong when an event was written.
    @exclusivity(unchecked) private(set) var failure: (any Error)?
    /// The bytes of the outputs as clients last saw them.
    @exclusivity(unchecked) var shownByteCount = 0
    /// The large values of the change that is being written.
    @exclusivity(unchecked) var largeParts: [LargeChange.Part] = []
    let context: SessionContext

    /// The outputs of the session that the context belongs to; none yet.
    public init(context: SessionContext) {
        self.context = context
    }

    /// Adds the next output. Its index has to be its place.
    public func add(_ cell: OutputCell) {
        precondition(cell.index == cells.count, "the cell of output \(cells.count) was expected, \(cell.index) came")
        cell.byteLimit = Int32(clamping: context.maxOutputBytes)
        cells.append(cell)
        if cell.isReadEveryTurn { readsEveryTurn = true }
    }

    /// Says that a cell's value may have changed. It is read and compared at the end of the turn; outside of a turn, one is
    /// opened in the loop's next round.
    public func mark(_ cell: OutputCell) {
        assert(isOnLoop, "an output is marked on its session's loop; use perform")
        cell.isMarked = true
        if !isDirty { becomeDirty() }
    }

    /// Says that an event was sent. The closure appends its value's JSON, at once; the event is part of the turn's change,
    /// in the order of these calls.
    public func emit(_ cell: OutputCell, _ write: (inout [UInt8]) throws -> Void) {
        assert(isOnLoop, "an event is sent on its session's loop; use perform")
        // After a failure the turn ends the session: a machine that goes on sending does not take memory meanwhile.
        guard !isClosed, failure == nil else { return }
        do {
            try emissions.append(output: cell.index, write)
            if emissions.bytes.count > context.maxOutputBytes {
                throw OutputTooLarge(limit: context.maxOutputBytes, output: name(of: cell))
            }
        } catch {
            failure = error
            emissions.removeAll()
        }
        if !isDirty { becomeDirty() }
    }

    /// Whether the caller is on the session's loop, where ``mark(_:)`` and ``emit(_:_:)`` may be called. From any thread.
    public var isOnLoop: Bool { context.loop.isCurrent }

    /// Runs the work on the session's loop: at once if the caller is there, otherwise later, as a part of a turn that shows
    /// all that has come over until then (what it captures travels with it, and the log hears of it once a session). From
    /// any thread.
    public func perform(_ work: @escaping () -> Void) {
        if isOnLoop {
            work()
        } else {
            let work = UnsafeTransfer(work)
            let board = UnsafeTransfer(self)
            context.loop.execute { board.value.performFromOtherThread(work.value) }
        }
    }

    /// Says in the log that what an output shows has ended with a failure: the machine cannot be asked what it means.
    package func reportFailure(of cell: OutputCell, _ error: any Error) {
        context.log.limited(
            .error, "output failed",
            ["session": .text(context.sessionHash), "output": .text(name(of: cell)), "error": .error(error)])
    }

    /// Begins to read what happened: gives the events, and looks at what is sent from now on as news of its own. Throws
    /// what went wrong when an event was written.
    func settle() throws -> Emissions {
        isDirty = false
        let (sent, failure) = (emissions, failure)
        emissions.removeAll()
        self.failure = nil
        if let failure { throw failure }
        return sent
    }

    private func name(of cell: OutputCell) -> String {
        context.scheduler.session?.machineKind.definition.outputs[cell.index].name ?? "\(cell.index)"
    }

    private func becomeDirty() {
        guard !isClosed else { return }
        isDirty = true
        if !isInTurn { context.scheduler.openTurn() }
    }

    /// Runs work that another thread has sent.
    private func performFromOtherThread(_ work: () -> Void) {
        guard let session = context.scheduler.session else { return }
        reportForeignThread()
        // This opens no turn: marking an output does, and that turn runs behind everything that has been sent until then.
        // So a value that changes several outputs on the other thread becomes a single change here.
        session.asMain(work)
    }

    private func reportForeignThread() {
        guard !context.hasReportedForeignThread else { return }
        context.hasReportedForeignThread = true
        context.log.limited(
            .warning, "output sent from another thread", ["session": .text(context.sessionHash)])
    }
}
