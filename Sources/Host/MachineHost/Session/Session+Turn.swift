import HTTPModel
import StateCapture
import Telemetry

/// The outcome of a turn.
enum TurnOutcome {
    /// No output changed.
    case unchanged
    /// The change is in ``TurnRunner/changeText``, with its data in this range.
    case changed(data: Range<Int>)
    /// The change is too large to be copied.
    case changedLarge(LargeChange)
    /// The machine failed, and the session ends.
    case failed(incident: String)

    /// Whether an output changed.
    var isChange: Bool {
        switch self {
        case .changed, .changedLarge: true
        case .unchanged, .failed: false
        }
    }
}

// The changes of turns.
extension Session {
    /// Makes all changed outputs one change with one version, and appends it to the history.
    ///
    /// - Parameters:
    ///   - text: Receives the change as an event of streams.
    ///   - trace: The span of the turn, as the event has it; nil if it has none.
    /// - Throws: The error of an output that cannot be encoded.
    func commit(
        _ board: OutputBoard, into text: inout [UInt8], in trace: ArraySlice<UInt8>?, limits: History.Limits
    ) throws -> TurnOutcome {
        let position = StreamPosition(epoch: epoch, version: version + 1)
        ChangeEvent.change.appendHead(position, in: trace, to: &text)
        let start = text.count
        guard try board.collect(into: &text, for: self) else { return .unchanged }
        meter.changes.add()
        let data = start..<text.count
        ChangeEvent.appendEnd(to: &text)
        guard board.largeParts.isEmpty, text.count <= SharedText.threshold else {
            return .changedLarge(commitLarge(text, data: data, board, limits))
        }
        // First append, then wake: a consumer may read as soon as it is notified, and must find the new version.
        history.append(text, limits: limits, released: releasedVersion)
        assert(version == position.version, "expected version \(position.version) after the turn, got \(version)")
        if storage == nil { release(upTo: version) }
        return .changed(data: data)
    }

    /// Appends the states that have changed, and measures the session if their memory has.
    func appendChangedStates(to states: inout [UInt8]) throws {
        context.loop.assertCurrent()
        guard let registry = storage?.registry else { return }
        let estimate = registry.byteCount
        defer { if registry.byteCount != estimate { noteRetainedBytes() } }
        _ = try registry.appendChanges(to: &states)
    }

    /// Releases the changes up to a version to the streams.
    func release(upTo version: UInt64) {
        context.loop.assertCurrent()
        assert(version >= releasedVersion, "expected a version from \(releasedVersion) on, got \(version)")
        assert(version <= history.newest, "expected a version up to \(history.newest), got \(version)")
        releasedVersion = version
        // By index, because a loop over the streams retains all of them. Waking one only marks its connection.
        for index in streams.indices { streams[index].wake() }
    }

    private func commitLarge(
        _ event: [UInt8], data: Range<Int>, _ board: OutputBoard, _ limits: History.Limits
    ) -> LargeChange {
        let change = LargeChange(
            event: event, data: data, parts: board.largeParts, ledger: largeValues.ledger)
        board.largeParts = []
        history.append(change, limits: limits, released: releasedVersion)
        if storage == nil { release(upTo: version) }
        // The new version has just made the values that slow readers hold outdated.
        releaseStaleReaders()
        return change
    }
}
