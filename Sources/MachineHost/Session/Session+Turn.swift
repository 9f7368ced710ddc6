import HTTPModel
import Log

/// The outcome of a turn.
enum TurnOutcome {
    /// No output changed.
    case unchanged
    /// The change was written into the shard's scratch buffer, with its data in this range.
    case changed(data: Range<Int>)
    /// The change is too large to be copied.
    case changedMuch(LargeChange)
    /// The machine failed, and the session has ended.
    case failed(incident: String)
}

extension Session {
    /// Runs work as one turn. At its end, all changed outputs become one change with one version, which is appended to
    /// the history and sent to all streams. A turn inside a turn becomes part of it.
    ///
    /// The caller may read the shard's scratch buffer until the next turn.
    ///
    /// - Parameter depth: The number of turns in a row that led to this one; 0 for an external cause.
    func turn(depth: Int = 0, _ work: (any HostedMachine) -> Void) -> TurnOutcome {
        guard case .live(let machine, let board) = state else { return .unchanged }
        if board.isInTurn {
            work(machine)
            return .unchanged
        }
        // Restored at the end: when a change that this turn causes runs a turn of another session of the loop, that
        // turn must not clear the depth of this one.
        let outer = shard.currentTurn
        shard.currentTurn = CurrentTurn(depth: depth)
        board.isInTurn = true
        asMain { work(machine) }
        board.isInTurn = false
        let outcome: TurnOutcome
        // The work may have ended the session, for example by failing: its outputs must not be read after
        // `machine.end()`.
        if board.hasNews, endReason == nil {
            outcome = commit(board)
        } else {
            noteRetainedBytes(shown: endReason == nil ? board.shownByteCount : 0)
            outcome = .unchanged
        }
        shard.turnEnded(of: machineKind)
        shard.currentTurn = outer
        return outcome
    }

    /// Runs a turn without a caller that waits for it: a scheduled block or a value from another thread. Ends the
    /// session instead if too many turns in a row led to it.
    func runScheduledTurn(depth: Int, _ work: () -> Void) {
        guard depth <= shard.host.configuration.turnsInARow else { return shard.failForRestlessness(self) }
        _ = turn(depth: depth) { _ in work() }
    }

    private func commit(_ board: OutputBoard) -> TurnOutcome {
        var scratch = shard.takeScratch()
        // Also on the failure path: the buffer must go back, or each failed turn would cost the loop a new one.
        defer {
            shard.giveBack(scratch)
            noteRetainedBytes(shown: endReason == nil ? board.shownByteCount : 0)
        }
        ChangeEvent.change.appendHead(StreamPosition(epoch: epoch, version: version + 1), to: &scratch)
        let start = scratch.count
        do {
            guard try board.collect(into: &scratch, for: self) else { return .unchanged }
        } catch {
            board.largeParts = []
            return .failed(incident: shard.fail(self, error))
        }
        let data = start..<scratch.count
        ChangeEvent.appendEnd(to: &scratch)
        guard board.largeParts.isEmpty, scratch.count <= SharedText.threshold else {
            return .changedMuch(commitLarge(scratch, data: data, board))
        }
        // First append, then wake: a consumer may read as soon as it is notified, and must find the new version.
        history.append(scratch, limits: shard.historyLimits)
        for stream in streams { stream.wake() }
        return .changed(data: data)
    }

    private func commitLarge(_ event: [UInt8], data: Range<Int>, _ board: OutputBoard) -> LargeChange {
        let change = LargeChange(
            event: event, data: data, parts: board.largeParts, ledger: largeValues.ledger)
        board.largeParts = []
        history.append(change, limits: shard.historyLimits)
        for stream in streams { stream.wake() }
        // The new version has just made the values that slow readers hold outdated.
        releaseStaleReaders()
        return change
    }
}

extension OutputBoard {
    /// Whether outputs must be read at the end of this turn.
    var hasNews: Bool { isDirty || readsEveryTurn }

    /// Appends the changed outputs and the emitted events as a JSON object without line ends. Large values are left out
    /// and stored in ``largeParts``. Returns false if nothing changed.
    func collect(into json: inout [UInt8], for session: Session) throws -> Bool {
        let (machine, begin) = (session.machineKind, json.count)
        let emissions = try settle()
        largeParts = []
        json.append(UInt8(ascii: "{"))
        var isEmpty = true
        for cell in cells where cell.isMarked || cell.isReadEveryTurn {
            cell.isMarked = false
            let start = json.count
            if !isEmpty { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: machine.outputKeys[cell.index])
            if try update(cell, into: &json, of: session) {
                isEmpty = false
            } else {
                json.removeLast(json.count - start)
            }
        }
        if !emissions.isEmpty {
            json.append(isEmpty ? "\"$emitted\":[" : ",\"$emitted\":[")
            isEmpty = false
            OutputBoard.append(emissions, to: &json, machine: machine)
        }
        json.append(UInt8(ascii: "}"))
        try checkSize(json.count - begin)
        return !isEmpty
    }

    /// Reads all outputs, as the state of a new session.
    func readAll(for session: Session) throws {
        _ = try settle()
        var json: [UInt8] = []
        for cell in cells {
            cell.isMarked = false
            json.removeAll(keepingCapacity: true)
            _ = try update(cell, into: &json, of: session)
        }
        largeParts = []
        try checkSize(0)
    }

    /// Appends a cell's value if clients have not received it yet; returns false if they have.
    private func update(_ cell: OutputCell, into json: inout [UInt8], of session: Session) throws -> Bool {
        let (start, before) = (json.count, cell.shown.count)
        do {
            guard try cell.update(into: &json) else { return false }
        } catch let error as OutputTooLarge {
            let name = session.machineKind.definition.outputs[cell.index].name
            throw OutputTooLarge(limit: error.limit, output: name)
        }
        let count = json.count - start
        shownByteCount += count - before
        if before >= SharedBytes.threshold { session.largeValues.shown[cell.index] = nil }
        guard count >= SharedBytes.threshold else { return true }
        // Share the cell's array instead of copying it once more into the change.
        let value = SharedBytes(cell.shown, session.largeValues.ledger)
        session.largeValues.shown[cell.index] = value
        json.removeLast(count)
        largeParts.append(LargeChange.Part(offset: start, value: value))
        json.append(LargeChange.placeholder)
        try checkSize(0)
        return true
    }

    /// Throws if the current values or the change, with `count` bytes outside of ``largeParts``, exceed the limit.
    private func checkSize(_ count: Int) throws {
        let size = max(shownByteCount, largeParts.reduce(count) { $0 + $1.value.bytes.count })
        guard size <= context.maxOutputBytes else { throw OutputTooLarge(limit: context.maxOutputBytes) }
    }

    private static func append(_ emissions: Emissions, to json: inout [UInt8], machine: RegisteredMachine) {
        var isFirst = true
        emissions.forEach { output, value in
            json.append(isFirst ? "{\"output\":" : ",{\"output\":")
            isFirst = false
            json.append(contentsOf: machine.outputKeys[output].dropLast())
            json.append(",\"value\":")
            let start = json.count
            json.append(contentsOf: emissions.bytes[value])
            json.removeLineEnds(from: start)
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension OutputCell {
    /// Appends the value if clients have not received it yet, and stores it as received. Returns false if they have, or
    /// if there never was a value.
    func update(into json: inout [UInt8]) throws -> Bool {
        let start = json.count
        try encode(into: &json)
        if json.count == start {
            // A value that no longer exists is sent as `null`, because a change cannot remove an output on the client.
            guard !shown.isEmpty else { return false }
            json.append("null")
        }
        json.removeLineEnds(from: start)
        let count = json.count - start
        guard count <= byteLimit else { throw OutputTooLarge(limit: Int(byteLimit)) }
        guard !isShown(json[start...]) else { return false }
        // Keeping the capacity lets a value that changes every turn be stored without an allocation.
        if max(count, shown.count) < SharedBytes.threshold {
            shown.removeAll(keepingCapacity: count <= shown.capacity)
            shown.append(contentsOf: json[start...])
        } else {
            // An exact copy: a large value becomes shared, and a formerly large one must release its capacity.
            shown = Array(json[start...])
        }
        return true
    }

    private func isShown(_ value: ArraySlice<UInt8>) -> Bool {
        value.count == shown.count && value.elementsEqual(shown)
    }
}

extension [UInt8] {
    /// Replaces line ends by spaces.
    fileprivate mutating func removeLineEnds(from start: Int) {
        // In valid JSON, line ends occur between tokens only, where a space means the same. In an event they would end
        // its data line.
        for index in start..<count where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
    }
}
