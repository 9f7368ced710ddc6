import CombineCore
import HTTPModel
import Locking
import Log
import StateCapture
import Synchronization

/// The outputs of one session, and their changes since the last turn ended. Confined to the session's loop, except
/// ``isOnLoop`` and ``perform(_:)``.
public final class OutputBoard {
    // Unchecked exclusivity: the board is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    /// The outputs, by index.
    @exclusivity(unchecked) public private(set) var cells: [OutputCell] = []
    /// The events emitted since the last turn ended.
    @exclusivity(unchecked) private(set) var emissions = Emissions()
    /// Whether a cell was marked or an event emitted since the last turn ended.
    @exclusivity(unchecked) private(set) var isDirty = false
    /// Whether a cell must be read at the end of every turn.
    @exclusivity(unchecked) private(set) var readsEveryTurn = false
    /// Whether a turn is running, which reads the outputs at its end. Also true until the machine has been created.
    @exclusivity(unchecked) var isInTurn = true
    /// Whether the session has ended, so that changes are ignored.
    @exclusivity(unchecked) var isClosed = false
    /// Whether there is work of other threads, for the loop, which asks before each value.
    private let hasTransfers = AtomicProperty(false)
    /// The error thrown by the encoding of an event.
    @exclusivity(unchecked) private(set) var failure: (any Error)?
    /// The size of the output values that clients last received.
    @exclusivity(unchecked) var shownByteCount = 0 {
        didSet { assert(shownByteCount >= 0, "expected to subtract what was added, got \(shownByteCount)") }
    }
    /// The large values of the change that is being written.
    @exclusivity(unchecked) var largeParts: [LargeChange.Part] = []
    /// The work of other threads that has not run; nil before the first one, which most sessions never have.
    private let transfers = AtomicLazyReference<ForeignTransfers>()
    let context: SessionContext

    /// Creates a board without outputs, for the session of a context.
    public init(context: SessionContext) {
        self.context = context
    }

    /// Adds the next output. The cell's index must equal the number of outputs so far.
    public func add(_ cell: OutputCell) {
        assert(isOnLoop, "expected an output to be added on its session's loop")
        precondition(cell.index == cells.count, "expected the cell of output \(cells.count), got \(cell.index)")
        cell.byteLimit = Int32(clamping: context.maxOutputBytes)
        cells.append(cell)
        if cell.isReadEveryTurn { readsEveryTurn = true }
    }

    /// Records that the value of an output may have changed. The host reads and compares it at the end of the turn.
    /// Outside of a turn, this schedules one for the loop's next round.
    public func mark(_ cell: OutputCell) {
        assert(isOnLoop, "mark an output on its session's loop; use perform elsewhere")
        cell.isMarked = true
        // The first mark of a turn does the work. Further marks only set the cell's flag, because marking is on the
        // path of every value.
        if !isDirty { becomeDirty() }
    }

    /// Emits an event. `write` appends the JSON of its value and is called synchronously. The event becomes part of the
    /// turn's change, in the order of the calls.
    public func emit(_ cell: OutputCell, _ write: (inout [UInt8]) throws -> Void) {
        assert(isOnLoop, "emit an event on its session's loop; use perform elsewhere")
        // After a failure the session ends with the turn. Until then, ignore events: a machine in a loop would collect
        // them without a limit.
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

    /// Whether the caller is on the session's loop, where ``mark(_:)`` and ``emit(_:_:)`` may be called. May be called
    /// from any thread.
    public var isOnLoop: Bool { context.loop.isCurrent }

    /// Runs a closure on the session's loop, in the order of the calls: synchronously if the caller is already there, after the
    /// closures that other threads have transferred; otherwise later and as part of a turn that includes all values sent until then.
    /// May be called from any thread.
    ///
    /// The closure and its captured values are transferred to the loop. The first such transfer of a session is logged.
    public func perform(_ work: @escaping () -> Void) {
        if isOnLoop {
            performTransfers()
            work()
        } else {
            let transfers = transfers.load() ?? transfers.storeIfNil(ForeignTransfers())
            transfers.lock.withLock {
                transfers.queue.append(work)
                hasTransfers.atomic.store(true, ordering: .releasing)
            }
            let board = UnsafeTransfer(self)
            // One closure for each task: a flood of them shares the time of the loop's rounds.
            context.loop.execute { board.value.performFirstTransfer() }
        }
    }

    /// Whether values have arrived outside of a turn, which are not part of a change yet.
    var awaitsTurn: Bool {
        assert(isOnLoop, "expected outputs to be read on their session's loop")
        return isDirty || hasTransfers.atomic.load(ordering: .acquiring)
    }

    /// Runs the closures that other threads have transferred before the loop processes a value of its own, which must not overtake
    /// theirs.
    package func performTransfers() {
        assert(isOnLoop, "expected transfers to be performed on their session's loop")
        // The marks of a machine that is wired from its stored state are discarded, which those of another thread must not be.
        guard hasTransfers.atomic.load(ordering: .acquiring), !StateRegistry.isRestoring else { return }
        // Counted first: another thread may add them as fast as they run.
        var left = transfers.load().map { transfers in transfers.lock.withLock { transfers.queue.count } } ?? 0
        while left > 0, performFirstTransfer() { left -= 1 }
    }

    /// Logs that the stream of an output has failed. The session continues with the last value.
    // The host cannot know whether the failure matters to the machine, so it does not end the session.
    package func reportFailure(of cell: OutputCell, _ error: any Error) {
        context.log.limited(
            .error, "output failed",
            ["session": .text(context.sessionHash), "output": .text(name(of: cell)), "error": .error(error)])
    }

    /// Discards the marks and events of a machine that was wired from its stored state: clients have received everything
    /// that its outputs show.
    package func discardMarks() {
        assert(isOnLoop, "expected marks to be discarded on their session's loop")
        for cell in cells { cell.isMarked = false }
        emissions.removeAll()
        failure = nil
        isDirty = false
    }

    /// Returns the emitted events, nil without events, and starts a new record of changes. Throws the error that was
    /// thrown by the encoding of an event.
    func takeEmissions() throws -> Emissions? {
        assert(isOnLoop, "expected events to be taken on their session's loop")
        // First clear, then read: encoding an output may run the machine's code and mark outputs again. Those changes
        // belong to the next turn and must not be lost.
        isDirty = false
        // Checked in place: most turns emit no event, and copying the record retains its parts.
        if emissions.isEmpty, failure == nil { return nil }
        let (sent, failure) = (emissions, failure)
        emissions.removeAll()
        self.failure = nil
        if let failure { throw failure }
        return sent.isEmpty ? nil : sent
    }

    private func name(of cell: OutputCell) -> String {
        context.scheduler.session?.machineKind.definition.outputs[cell.index].name ?? "\(cell.index)"
    }

    private func becomeDirty() {
        guard !isClosed else { return }
        isDirty = true
        if !isInTurn { context.scheduler.openTurn() }
    }

    /// Runs the oldest closure that another thread has transferred. Returns whether there was one.
    @discardableResult
    private func performFirstTransfer() -> Bool {
        assert(isOnLoop, "expected work on the session's loop")
        guard let transfers = transfers.load() else { return false }
        let first = transfers.lock.withLock {
            let first = transfers.queue.removeFirst()
            if transfers.queue.isEmpty { hasTransfers.atomic.store(false, ordering: .relaxed) }
            return first
        }
        guard let first else { return false }
        // The session may have ended. Its transfers are taken and released nevertheless.
        guard let session = context.scheduler.session else { return true }
        reportForeignThread()
        // No turn is opened here. The first marked output schedules one, which runs after all work that was sent until
        // then. So a value that changes several outputs on the other thread becomes a single change.
        session.asMainQueue(first)
        return true
    }

    private func reportForeignThread() {
        guard !context.hasReportedForeignThread else { return }
        context.hasReportedForeignThread = true
        context.log.limited(
            .warning, "output sent from another thread", ["session": .text(context.sessionHash)])
    }
}

/// The work that other threads have transferred to a session's loop, in the order of the calls.
private final class ForeignTransfers {
    let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) var queue = Queue<() -> Void>()
}
