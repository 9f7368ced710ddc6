import HTTPModel
import Log
import Telemetry

/// Runs the turns of a loop's sessions: one after another, or one inside of another session's. Confined to the loop.
///
/// A turn calls nobody above it: it returns what it did, and its caller stores that.
final class TurnRunner {
    // Unchecked exclusivity: see `Session`.
    let host: SessionHost
    let clock: LoopClock
    let historyLimits: History.Limits
    private let loop: any EventLoop
    /// The turn in progress.
    @exclusivity(unchecked) private(set) var current: CurrentTurn?
    @exclusivity(unchecked) private var watch: TurnWatch
    /// The slot in which the turn in progress is noted for the next process; nil if turns are not noted.
    @exclusivity(unchecked) private var slot: TurnSlot?
    @exclusivity(unchecked) private var buffers = Buffers()

    /// What the last turn wrote, in buffers that turns use one after another, so that small content allocates nothing.
    private struct Buffers {
        /// The text of the change, until the next turn. Nobody reads a large change from here: it has its own text.
        var change: [UInt8] = []
        /// The changed states of a stored session, until they are forgotten.
        var states: [UInt8] = []

        /// The capacity that fits every change that is not large. More must not be pinned to the loop.
        static let maxCapacity = 2 * SharedText.threshold
    }

    init(of loop: any EventLoop, in host: SessionHost, clock: LoopClock) {
        (self.loop, self.host, self.clock) = (loop, host, clock)
        historyLimits = History.Limits(
            changes: host.configuration.historyChanges, bytes: host.configuration.historyBytes)
        watch = TurnWatch(warning: host.configuration.turnWarning)
    }

    /// Runs work as one turn of a session. At its end, all changed outputs become one change with one version, which is appended to
    /// the history and sent to all streams.
    ///
    /// - Parameters:
    ///   - cause: Its cause.
    ///   - request: The span of the request that causes it; nil if it has none.
    /// - Returns: The turn that has ended; nil if it was a part of the session's turn in progress, or the session has ended.
    func run(
        _ cause: TurnCause, of session: Session, in request: TraceContext?, _ work: (any HostedMachine) -> Void
    ) -> EndedTurn? {
        loop.assertCurrent()
        guard case .live(let machine, let board) = session.state else { return nil }
        if board.isInTurn {
            work(machine)
            return nil
        }
        assert(!board.isClosed, "expected outputs that accept changes while the session lives")
        // Restored at the end: a turn of one session can run inside a turn of another.
        let outer = current
        let noted: TurnSlot.Outer? = if let storage = session.storage { slot?.begin(storage.id) } else { nil }
        current = CurrentTurn(depth: cause.depth, sender: cause.sender, publications: cause.publications)
        let began = session.meter.turnStart
        board.isInTurn = true
        if let request {
            continuing(TraceLink(request)) { session.asMainQueue { work(machine) } }
        } else {
            session.asMainQueue { work(machine) }
        }
        assert(board.isInTurn, "expected a turn to last until its work is done")
        assert(current?.depth == cause.depth, "expected turns inside of a turn to restore it")
        board.isInTurn = false
        var ended = EndedTurn(trace: trace)
        // The work may have ended the session, for example by failing: its outputs must not be read after
        // `machine.end()`.
        if let failure = session.context.declaredTopics?.failure { ended.fail(failure) }
        if board.hasPendingChanges, session.endReason == nil, ended.failure == nil {
            commit(board, of: session, &ended)
        } else {
            session.noteRetainedBytes(shown: session.endReason == nil ? board.shownByteCount : 0)
        }
        ended.nanoseconds = session.meter.turnEnded(since: began)
        if let duration = watch.turnEnded(at: loop.currentTime, round: loop.now) {
            report(duration, of: cause, session.machineKind, ended.trace)
        }
        if session.storage != nil { capture(session, &ended) }
        if let trace = ended.trace {
            host.spans?.record(ended.outcome, of: session, trace, cause: cause.trigger.text)
        }
        if let noted { slot?.end(noted) }
        current = outer
        return ended
    }

    private func commit(_ board: OutputBoard, of session: Session, _ ended: inout EndedTurn) {
        var text: [UInt8] = []
        // Moved out, so that appending does not copy it. Returned also on the failure path: the loop would allocate a new one for each
        // failed turn.
        swap(&text, &buffers.change)
        text.removeAll(keepingCapacity: true)
        defer {
            if text.capacity > Buffers.maxCapacity { text = text.count <= SharedText.threshold ? Array(text[...]) : [] }
            swap(&text, &buffers.change)
            session.noteRetainedBytes(shown: board.shownByteCount)
        }
        do {
            ended.outcome = try session.commit(board, into: &text, in: ended.trace?.field, limits: historyLimits)
        } catch {
            board.largeParts = []
            ended.fail(error)
        }
    }

    /// Takes the states that a turn of a stored session has changed, and what it did with effects.
    private func capture(_ session: Session, _ ended: inout EndedTurn) {
        assert(session.storage != nil, "expected a stored session")
        guard session.endReason == nil, ended.failure == nil else { return }
        var states: [UInt8] = []
        swap(&states, &buffers.states)
        states.removeAll(keepingCapacity: true)
        defer { swap(&states, &buffers.states) }
        do {
            try session.appendChangedStates(to: &states)
            if let effects = session.context.declaredEffects { ended.effects = try effects.takeEvents() }
        } catch {
            ended.fail(error)
        }
    }

    /// Logs a turn that took too long.
    private func report(
        _ duration: Duration, of cause: TurnCause, _ machine: RegisteredMachine, _ trace: TurnTrace?
    ) {
        guard let unreported = watch.report(on: machine, now: clock.tick) else { return }
        host.log(
            .warning, "slow turn",
            [
                "machine": .text(machine.definition.name), "input": .text(cause.trigger.text),
                "milliseconds": .number(Int(duration.wholeMilliseconds)), "unreported": .number(unreported),
            ], and: trace?.context.logFields ?? [])
    }

    /// Runs the factory of a session's machine. The blocks that it schedules count from 0, although it is no turn.
    ///
    /// - Parameter request: The span of the request that creates the session; nil if it has none.
    func create(_ session: Session, in request: TraceContext?, _ factory: () throws -> Void) throws {
        loop.assertCurrent()
        let outer = current
        current = CurrentTurn(depth: 0, sender: nil, publications: 0)
        defer { current = outer }
        // Also for the effects that the machine starts.
        if let request { joinTrace(TraceLink(request)) }
        try factory()
        if let failure = session.context.declaredTopics?.failure { throw failure }
        if let trace { host.spans?.record(.unchanged, of: session, trace, cause: "creation") }
    }

    /// Whether another block may run in this round.
    var hasTimeInRound: Bool {
        watch.lastEnd.nanoseconds <= loop.now.nanoseconds + TurnRunner.timeInRound
    }

    /// The time that the blocks of one session may take in a round, in nanoseconds. A single block may take longer.
    // Other sessions and sockets of the loop wait until the round ends.
    private static let timeInRound: UInt64 = 5_000_000
}

// What the last turn did, until the next one begins.
extension TurnRunner {
    /// Returns the changed outputs; nil if no output has changed.
    func change(of outcome: TurnOutcome) -> ArraySlice<UInt8>? {
        switch outcome {
        case .unchanged, .failed: nil
        case .changed(let data): buffers.change[data]
        case .changedLarge(let change): change.changedOutputs[...]
        }
    }

    /// The text in which ``TurnOutcome/changed(data:)`` states a range.
    var changeText: [UInt8] { buffers.change }

    /// The states that a turn of a stored session has changed.
    var states: ArraySlice<UInt8> { buffers.states[...] }

    /// Forgets the states.
    func forgetStates() {
        buffers.states.removeAll(keepingCapacity: buffers.states.capacity <= Buffers.maxCapacity)
    }
}

// The spans of turns. Nothing here runs for a turn without a trace.
extension TurnRunner {
    /// The span of the turn in progress; nil if it belongs to no sampled trace.
    var trace: TurnTrace? { current?.trace }

    /// Runs a block of the turn in progress as a part of a trace.
    func continuing(_ cause: TraceLink?, _ block: () -> Void) {
        guard let cause else { return block() }
        joinTrace(cause)
        TraceContext.$current.withValue(trace?.context) { block() }
    }

    /// Makes the turn in progress a part of a trace, unless it is one already.
    private func joinTrace(_ cause: TraceLink) {
        guard let spans = host.spans, let current, current.trace == nil, let link = cause.next() else { return }
        self.current?.trace = TurnTrace(link: link, parentID: cause.context.spanID, start: spans.now)
    }
}

// What the next process learns of a turn that ends this one.
extension TurnRunner {
    /// Notes turns in a slot from now on.
    func note(in slot: TurnSlot?) {
        loop.assertCurrent()
        self.slot = slot
        slot?.watch()
    }

    /// Runs a part of a machine outside of a turn, which may trap like one.
    func noting<Result, Failure>(
        _ id: StoredSessionID?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        loop.assertCurrent()
        guard let slot, let id else { return try body() }
        let outer = slot.begin(id)
        defer { slot.end(outer) }
        return try body()
    }

    /// Sets the key of the request that causes the next turn.
    func setKey(_ key: RequestDigest, _ request: RequestDigest) {
        loop.assertCurrent()
        slot?.setKey(key, request)
    }

    /// Forgets the key.
    func clearKey() { slot?.clearKey() }

    /// Whether turns are noted.
    var notesTurns: Bool { slot != nil }
}
