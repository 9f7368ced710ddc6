import HTTPModel
import Log

/// What a turn did.
enum TurnOutcome {
    /// No output changed.
    case unchanged
    /// The change was written into the shard's scratch, where its data lies in this range.
    case changed(data: Range<Int>)
    /// The change is too large to be copied.
    case changedMuch(LargeChange)
    /// The machine failed, and with it the session.
    case failed(incident: String)
}

extension Session {
    /// Runs the work as one turn: at its end, what it changed becomes one change, at one version, in the history and on its
    /// way to every stream. A turn inside a turn is a part of it. The shard's scratch is the caller's to read until the
    /// next turn.
    ///
    /// - Parameter depth: The number of turns in a row that have led to this one; 0 for one that is caused from outside.
    func turn(depth: Int = 0, _ work: (any HostedMachine) -> Void) -> TurnOutcome {
        guard case .live(let machine, let board) = state else { return .unchanged }
        if board.isInTurn {
            work(machine)
            return .unchanged
        }
        let outer = shard.currentTurn
        shard.currentTurn = CurrentTurn(depth: depth)
        board.isInTurn = true
        asMain { work(machine) }
        board.isInTurn = false
        let outcome: TurnOutcome
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

    /// A turn that nobody waits for: a block of the scheduler, a value from another thread. Ends the session instead if
    /// too many turns in a row have led to it.
    func runScheduledTurn(depth: Int, _ work: () -> Void) {
        guard depth <= shard.host.configuration.turnsInARow else { return shard.failForRestlessness(self) }
        _ = turn(depth: depth) { _ in work() }
    }

    private func commit(_ board: OutputBoard) -> TurnOutcome {
        var scratch = shard.takeScratch()
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
        releaseStaleReaders()
        return change
    }
}

extension OutputBoard {
    /// Whether outputs have to be read at the end of this turn.
    var hasNews: Bool { isDirty || readsEveryTurn }

    /// Appends the outputs that changed since clients last saw them, and the events that were sent, as one JSON object;
    /// false if there is nothing. What is appended has no line end in it. Large values are left out and are ``largeParts``
    /// afterwards.
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

    /// Reads every output, as what a new session shows.
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

    /// Appends a cell's value if it is not what clients have seen; false if it is.
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
        let value = SharedBytes(cell.shown, session.largeValues.ledger)
        session.largeValues.shown[cell.index] = value
        json.removeLast(count)
        largeParts.append(LargeChange.Part(offset: start, value: value))
        json.append(LargeChange.placeholder)
        try checkSize(0)
        return true
    }

    /// Throws if a snapshot or the present change, of which so much is not in ``largeParts``, is over the limit.
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
    /// Appends the value if it is not what clients have seen, and takes it for seen; false if it is, or if there never was
    /// one. A value that is gone is `null` to clients, who cannot be told to forget an output.
    func update(into json: inout [UInt8]) throws -> Bool {
        let start = json.count
        try encode(into: &json)
        if json.count == start {
            guard !shown.isEmpty else { return false }
            json.append("null")
        }
        json.removeLineEnds(from: start)
        let count = json.count - start
        guard count <= byteLimit else { throw OutputTooLarge(limit: Int(byteLimit)) }
        guard !isShown(json[start...]) else { return false }
        if max(count, shown.count) < SharedBytes.threshold {
            shown.removeAll(keepingCapacity: count <= shown.capacity)
            shown.append(contentsOf: json[start...])
        } else {
            // A large value is shared, and one that was large has left room that nobody needs.
            shown = Array(json[start...])
        }
        return true
    }

    private func isShown(_ value: ArraySlice<UInt8>) -> Bool {
        value.count == shown.count && value.elementsEqual(shown)
    }
}

extension [UInt8] {
    /// Puts spaces in the place of line ends: in JSON they stand between values only, and in an event they would end the
    /// line.
    fileprivate mutating func removeLineEnds(from start: Int) {
        for index in start..<count where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
    }
}
