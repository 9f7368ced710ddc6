import HTTPModel
import Log
import Telemetry

/// The outcome of a turn.
enum TurnOutcome {
    /// No output changed.
    case unchanged
    /// The change was written into the shard's scratch buffer, with its data in this range.
    case changed(data: Range<Int>)
    /// The change is too large to be copied.
    case changedLarge(LargeChange)
    /// The machine failed, and the session has ended.
    case failed(incident: String)
}

extension Session {
    /// Runs work as one turn. At its end, all changed outputs become one change with one version, which is appended to
    /// the history and sent to all streams. A turn inside a turn becomes part of it.
    ///
    /// The caller may read the shard's scratch buffer until the next turn.
    ///
    /// - Parameters:
    ///   - trigger: The cause, for the journal.
    ///   - sender: Who has sent the input.
    ///   - depth: The number of turns in a row that led to this one; 0 for an external cause.
    ///   - request: The span of the request that causes the turn; nil if it has none.
    func turn(
        _ trigger: TurnRecord.Trigger = .scheduled, from sender: InputSender? = nil, depth: Int = 0,
        in request: TraceContext? = nil, _ work: (any HostedMachine) -> Void
    ) -> TurnOutcome {
        context.loop.assertCurrent()
        return run(CurrentTurn(depth: depth, trigger: trigger, sender: sender), in: request, work) {
            shard.record($0, of: self)
        }
    }

    /// Runs work as one turn of a stored session, whose row the caller writes when the response to the request is known.
    ///
    /// - Parameter ended: Receives the turn, unless it is a part of another one.
    func turn(
        _ trigger: TurnRecord.Trigger, from sender: InputSender?, in request: TraceContext?,
        unrecorded ended: inout EndedTurn?, _ work: (any HostedMachine) -> Void
    ) -> TurnOutcome {
        context.loop.assertCurrent()
        return run(CurrentTurn(depth: 0, trigger: trigger, sender: sender), in: request, work) { ended = $0 }
    }

    private func run(
        _ turn: CurrentTurn, in request: TraceContext?, _ work: (any HostedMachine) -> Void,
        record: (EndedTurn) -> Void
    ) -> TurnOutcome {
        guard case .live(let machine, let board) = state else { return .unchanged }
        if board.isInTurn {
            work(machine)
            return .unchanged
        }
        assert(!board.isClosed, "expected outputs that accept changes while the session lives")
        // Retained once: each use of the unowned reference checks, retains and releases the shard.
        let shard = shard
        // Restored at the end: a turn of one session can run inside a turn of another.
        let outer = shard.currentTurn
        let noted: TurnSlot.Outer? = if let storage { shard.turnSlot?.begin(storage.id) } else { nil }
        shard.currentTurn = turn
        let began = meter.turnStart
        board.isInTurn = true
        if let request {
            shard.continuing(TraceLink(request)) { asMainQueue { work(machine) } }
        } else {
            asMainQueue { work(machine) }
        }
        assert(board.isInTurn, "expected a turn to last until its work is done")
        assert(shard.currentTurn?.depth == turn.depth, "expected turns inside of a turn to restore it")
        board.isInTurn = false
        let isTraced = shard.currentTurn?.isTraced == true
        let outcome: TurnOutcome
        // The work may have ended the session, for example by failing: its outputs must not be read after
        // `machine.end()`.
        if board.hasPendingChanges, endReason == nil {
            outcome = commit(board, on: shard, isTraced: isTraced)
        } else {
            noteRetainedBytes(shown: endReason == nil ? board.shownByteCount : 0)
            outcome = .unchanged
        }
        meter.turnEnded(since: began)
        shard.turnEnded(of: machineKind)
        if isTraced { shard.recordTrace(of: self, outcome) }
        if storage != nil {
            record(EndedTurn(turn: turn, outcome: outcome, trace: isTraced ? shard.currentTrace : nil))
        }
        if let noted { shard.turnSlot?.end(noted) }
        shard.leaveTrace()
        shard.currentTurn = outer
        return outcome
    }

    /// Runs a turn that has no waiting caller: a scheduled block or a value from another thread. Ends the session
    /// instead if too many turns in a row led to it.
    func runScheduledTurn(depth: Int, _ work: () -> Void) {
        context.loop.assertCurrent()
        guard depth <= shard.host.configuration.turnsInARow else { return shard.endForEndlessTurns(self) }
        _ = turn(depth: depth) { _ in work() }
    }

    private func commit(_ board: OutputBoard, on shard: SessionShard, isTraced: Bool) -> TurnOutcome {
        var scratch = shard.buffers.takeChange()
        // Also on the failure path: if the buffer were not returned, the loop would allocate a new one for each failed
        // turn.
        defer {
            shard.buffers.setChange(scratch)
            noteRetainedBytes(shown: endReason == nil ? board.shownByteCount : 0)
        }
        let position = StreamPosition(epoch: epoch, version: version + 1)
        if isTraced {
            ChangeEvent.change.appendHead(position, in: shard.currentTrace?.field, to: &scratch)
        } else {
            ChangeEvent.change.appendHead(position, to: &scratch)
        }
        let start = scratch.count
        do {
            guard try board.collect(into: &scratch, for: self) else { return .unchanged }
        } catch {
            board.largeParts = []
            return .failed(incident: shard.fail(self, error))
        }
        meter.changes.add()
        let data = start..<scratch.count
        ChangeEvent.appendEnd(to: &scratch)
        guard board.largeParts.isEmpty, scratch.count <= SharedText.threshold else {
            return .changedLarge(commitLarge(scratch, data: data, board))
        }
        // First append, then wake: a consumer may read as soon as it is notified, and must find the new version.
        history.append(scratch, limits: shard.historyLimits, released: releasedVersion)
        assert(version == position.version, "expected version \(position.version) after the turn, got \(version)")
        releaseIfUnstored()
        return .changed(data: data)
    }

    /// Lets streams send the newest change, unless it must be stored first.
    private func releaseIfUnstored() {
        if storage == nil { release(upTo: version) }
    }

    /// Lets streams send the changes up to a version.
    func release(upTo version: UInt64) {
        context.loop.assertCurrent()
        assert(version >= releasedVersion, "expected a version from \(releasedVersion) on, got \(version)")
        assert(version <= history.newest, "expected a version up to \(history.newest), got \(version)")
        releasedVersion = version
        // By index, because a loop over the streams retains all of them. Waking one only marks its connection.
        for index in streams.indices { streams[index].wake() }
    }

    private func commitLarge(_ event: [UInt8], data: Range<Int>, _ board: OutputBoard) -> LargeChange {
        let change = LargeChange(
            event: event, data: data, parts: board.largeParts, ledger: largeValues.ledger)
        board.largeParts = []
        history.append(change, limits: shard.historyLimits, released: releasedVersion)
        releaseIfUnstored()
        // The new version has just made the values that slow readers hold outdated.
        releaseStaleReaders()
        return change
    }
}
