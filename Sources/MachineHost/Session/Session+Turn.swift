import HTTPModel
import Log

/// What a turn did.
enum TurnOutcome {
    /// No output changed.
    case unchanged
    /// The change was written into the shard's scratch, where its data lies in this range.
    case changed(data: Range<Int>)
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
        let outcome = board.hasNews && endReason == nil ? commit(board) : .unchanged
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
        defer { shard.giveBack(scratch) }
        ChangeEvent.change.appendHead(StreamPosition(epoch: epoch, version: version + 1), to: &scratch)
        let start = scratch.count
        do {
            guard try board.collect(into: &scratch, machine: machineKind) else { return .unchanged }
        } catch {
            return .failed(incident: shard.fail(self, error))
        }
        let data = start..<scratch.count
        ChangeEvent.appendEnd(to: &scratch)
        history.append(scratch, limits: shard.historyLimits)
        for stream in streams { stream.wake() }
        return .changed(data: data)
    }
}

extension OutputBoard {
    /// Whether outputs have to be read at the end of this turn.
    var hasNews: Bool { isDirty || readsEveryTurn }

    /// Appends the outputs that changed since clients last saw them, and the events that were sent, as one JSON object;
    /// false if there is nothing. What is appended has no line end in it.
    func collect(into json: inout [UInt8], machine: RegisteredMachine) throws -> Bool {
        let emissions = try settle()
        json.append(UInt8(ascii: "{"))
        var isEmpty = true
        for cell in cells where cell.isMarked || cell.isReadEveryTurn {
            cell.isMarked = false
            let start = json.count
            if !isEmpty { json.append(UInt8(ascii: ",")) }
            json.append(contentsOf: machine.outputKeys[cell.index])
            if try cell.update(into: &json) {
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
        return !isEmpty
    }

    /// Reads every output, as what a new session shows.
    func readAll() throws {
        _ = try settle()
        var json: [UInt8] = []
        for cell in cells {
            cell.isMarked = false
            json.removeAll(keepingCapacity: true)
            _ = try cell.update(into: &json)
        }
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
        guard !isShown(json[start...]) else { return false }
        shown.removeAll(keepingCapacity: json.count - start <= shown.capacity)
        shown.append(contentsOf: json[start...])
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
