// The changes of a turn, read at its end.
extension OutputBoard {
    /// Whether outputs must be read at the end of this turn.
    var hasPendingChanges: Bool { isDirty || readsEveryTurn }

    /// Appends the changed outputs and the emitted events as a JSON object without line ends. Large values are left out
    /// and stored in ``largeParts``. Returns false if nothing changed.
    func collect(into json: inout [UInt8], for session: Session) throws -> Bool {
        assert(!isInTurn, "expected to read the outputs after the work of the turn")
        let (machine, begin) = (session.machineKind, json.count)
        let emissions = try takeEmissions()
        largeParts = []
        json.append(UInt8(ascii: "{"))
        var isEmpty = true
        for cell in cells where cell.isMarked || cell.isReadEveryTurn {
            cell.isMarked = false
            let start = json.count
            if !isEmpty { json.append(UInt8(ascii: ",")) }
            machine.appendKey(ofOutput: cell.index, to: &json)
            if try update(cell, into: &json, of: session) {
                isEmpty = false
            } else {
                json.removeLast(json.count - start)
            }
        }
        if let emissions {
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
        _ = try takeEmissions()
        var json: [UInt8] = []
        for cell in cells {
            cell.isMarked = false
            json.removeAll(keepingCapacity: true)
            _ = try update(cell, into: &json, of: session)
        }
        largeParts = []
        try checkSize(0)
    }

    /// Marks the outputs that differ from what clients have received, because another build has shown them.
    func markDifferences(machine: RegisteredMachine) {
        var json: [UInt8] = []
        for cell in cells where machine.definition.outputs[cell.index].kind == .value {
            json.removeAll(keepingCapacity: true)
            // An error is reported by the turn that reads the marked output.
            let isEncoded = (try? cell.encode(into: &json)) != nil
            // Without a value, its publisher has sent none since the wiring, and clients keep the one that they have.
            if !isEncoded || !json.isEmpty && json != cell.shown { mark(cell) }
        }
    }

    /// Sets the value that clients know of an output, when a session is restored.
    func show(_ json: ArraySlice<UInt8>, of cell: OutputCell, in session: Session) {
        assert(cells[cell.index] === cell, "expected an output of the session, got another one at \(cell.index)")
        shownByteCount += json.count - cell.shown.count
        cell.shown = Array(json)
        guard json.count >= SharedBytes.threshold else { return }
        session.largeValues.shown[cell.index] = SharedBytes(cell.shown, session.largeValues.ledger)
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
        let large = largeParts.isEmpty ? 0 : largeParts.reduce(0) { $0 + $1.value.bytes.count }
        let size = max(shownByteCount, count + large)
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
