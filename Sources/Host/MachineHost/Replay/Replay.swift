package import Log
import StateCapture

/// Runs a recorded session again: its inputs, timers and the recorded answers of its effects, in the recorded order and at the
/// recorded times. Nothing is asked, and nothing is stored.
///
/// A tool for development: the machine may have changed since, and the first turn that differs from the record shows where.
package struct Replay {
    /// The number of scheduled blocks without an effect that may precede a recorded turn.
    private static let maxSilentBlocks = 10_000

    private let recording: SessionRecording
    private let definition: MachineDefinition
    private let configuration: HostConfiguration
    private let log: Log
    private var process: ReplayedProcess
    /// The session as it was recorded, up to a turn.
    private var recorded: StoredSession
    /// The number of turns that ``recorded`` contains.
    private var folded = 0
    /// The rows of the replay that have not been compared.
    private var produced: [ArraySlice<UInt8>] = []

    /// Prepares a replay.
    ///
    /// - Parameters:
    ///   - configuration: The limits of the host.
    ///   - log: Receives the reason for which the machine fails, if it does.
    /// - Throws: ``ReplayError`` or `MachineRegistrationError` if this build cannot continue the session.
    package init(
        _ recording: SessionRecording, _ definition: MachineDefinition,
        configuration: HostConfiguration = HostConfiguration(), log: Log = .silent
    ) throws {
        self.recording = recording
        var definition = definition
        // Nothing is stored, and the replayed turns are compared in clear text.
        definition.secrets = []
        definition.lacksKey = false
        self.definition = definition
        self.configuration = configuration
        self.log = log
        var session = recording.snapshot
        do {
            _ = try session.makeCompatible(
                with: definition, build: configuration.build, now: session.lastInput, window: 0)
            recorded = session
            process = try ReplayedProcess(
                definition, configuration, log: log, restoring: session, at: session.lastInput.millisecondsInNanoseconds
            )
        } catch let error as UnreadableSession {
            throw ReplayError.unreadable("\(error)")
        }
        let interrupted = process.interrupted.map(\.name)
        if !interrupted.isEmpty { throw ReplayError.interrupted(interrupted) }
    }

    /// Runs all turns, or those until the first difference.
    ///
    /// - Parameter show: Receives each turn that has been replayed without a difference.
    /// - Returns: The first difference; nil if none exists.
    /// - Throws: `ArchiveError` if a turn is damaged.
    package mutating func run(_ show: (ReplayedTurn) -> Void = { _ in }) throws -> ReplayDivergence? {
        do {
            if recording.beginsWithCreation { try checkCreation() }
        } catch let mismatch as ReplayMismatch {
            return ReplayDivergence(turn: nil, difference: mismatch.text)
        }
        process.continueEffects()
        for index in 0..<recording.turnCount {
            let record = try recording.record(index)
            let turn = ReplayedTurn(number: index + 1, record: record)
            do {
                try replay(record, index)
            } catch let mismatch as ReplayMismatch {
                return ReplayDivergence(turn: turn, difference: mismatch.text)
            }
            show(turn)
        }
        return nil
    }

    /// Creates a new session, whose outputs must be those of the recorded one.
    private func checkCreation() throws {
        let creation = try definition.restoreCreation(of: recording.snapshot)
        let new = try ReplayedProcess(
            definition, configuration, log: log, restoring: nil, seed: recorded.seed, ownership: recorded.ownership,
            creation: creation,
            at: recording.snapshot.lastInput.millisecondsInNanoseconds)
        let shown = new.shown
        for (name, json) in recording.snapshot.shown.sorted(by: { $0.key < $1.key }) {
            guard let found = shown[name], StateValue.isSame(json, found, inAnyOrder: true) else {
                throw ReplayMismatch(
                    "expected \"\(name)\" to be \(ReplayText.clipped(json)), got \(ReplayText.clipped(shown[name]))")
            }
        }
    }

    private mutating func replay(_ record: TurnRecord, _ index: Int) throws {
        // A turn that ended its process was undone.
        if record.hasTrapped { return }
        if record.isEmpty {
            // An empty row only records the next time to wake, or that another process has continued.
            guard record.trigger == .resumed else { return }
            try restart(record, before: index)
            _ = process.takeRows()
            return
        }
        switch record.trigger {
        case .input(let name, let value):
            try advance(to: record)
            try process.run(input: name, value, from: record.sender)
        case .batch(let value):
            try advance(to: record)
            try process.run(batch: value, from: record.sender)
        case .received(let topic, let number, let value):
            try advance(to: record)
            process.receive(value, of: topic, number)
        case .resumed: try restart(record, before: index)
        case .scheduled: try runScheduled(record)
        }
        if produced.isEmpty { produced = process.takeRows() }
        guard let row = produced.first else {
            throw ReplayMismatch(
                process.session.endReason == nil
                    ? "expected a turn, got none" : "expected a turn, but the session has failed; see the log")
        }
        produced.removeFirst()
        // Equal in every byte, as usual.
        if row.elementsEqual(recording.rows[index].content) { return }
        try compare(record, index, with: row)
    }

    /// Advances the time to an input, and requires that nothing happens meanwhile.
    private mutating func advance(to record: TurnRecord) throws {
        try requireNothing()
        process.advance(to: record, most: Replay.maxSilentBlocks)
        produced = process.takeRows()
        try requireNothing()
    }

    /// Requires that no scheduled block ran before an input that the record does not have.
    private func requireNothing() throws {
        guard let row = produced.first, let extra = try? TurnRecord(row) else { return }
        throw ReplayMismatch("got another turn before it: \(ReplayedTurn(number: 0, record: extra))")
    }

    /// Answers the recorded effect, or runs scheduled blocks until one of them does something.
    private mutating func runScheduled(_ record: TurnRecord) throws {
        guard produced.isEmpty else { return }
        if process.isAnswered(by: record) {
            try advance(to: record)
            if try process.answer(record) { return }
        }
        for _ in 0..<Replay.maxSilentBlocks {
            guard process.runNext(for: record) else {
                throw ReplayMismatch(
                    "expected a scheduled block or a timer, found none that is due; if work of another thread caused the turn, "
                        + "declare it with context.effect")
            }
            produced = process.takeRows()
            if !produced.isEmpty || process.session.endReason != nil { return }
        }
        throw ReplayMismatch("expected a turn, got \(Replay.maxSilentBlocks) scheduled blocks that changed nothing")
    }

    /// Ends the process, and continues in another one as the recorded session did.
    private mutating func restart(_ record: TurnRecord, before index: Int) throws {
        try requireNothing()
        fold(until: index)
        process = try ReplayedProcess(
            definition, configuration, log: log, restoring: recorded, at: record.nanoseconds)
        process.resume(record)
    }

    private mutating func compare(_ record: TurnRecord, _ index: Int, with row: ArraySlice<UInt8>) throws {
        guard let replayed = try? TurnRecord(row) else { throw ReplayMismatch("the replayed turn cannot be read") }
        if let difference = record.difference(of: replayed) { throw ReplayMismatch(difference) }
        fold(until: index)
        try compareStates(record, replayed)
    }

    /// Compares the captured states that changed. The first turn after a restore contains all of them.
    private func compareStates(_ record: TurnRecord, _ replayed: TurnRecord) throws {
        let expected = Dictionary(StateChanges(record.states).map { ($0.key, $0.json) }) { $1 }
        let found = Dictionary(StateChanges(replayed.states).map { ($0.key, $0.json) }) { $1 }
        for key in Set(expected.keys).union(found.keys).sorted() {
            guard let json = expected[key] ?? recorded.states[key] else {
                throw ReplayMismatch("expected no state \"\(key)\", got \(ReplayText.clipped(found[key]))")
            }
            guard let other = found[key] ?? recorded.states[key], StateValue.isSame(json, other, inAnyOrder: true)
            else {
                let other = found[key] ?? recorded.states[key]
                throw ReplayMismatch(
                    "expected the state \"\(key)\" to be \(ReplayText.clipped(json)), got \(ReplayText.clipped(other))")
            }
        }
    }

    /// Applies the recorded turns before one.
    private mutating func fold(until index: Int) {
        while folded < index {
            if let record = try? recording.record(folded) { recorded.apply(record) }
            folded += 1
        }
    }
}

extension StoredSession {
    /// The seed of its random numbers; nil if it has drawn no numbers.
    fileprivate var seed: UInt64? {
        guard let json = states["\(SessionRandom.partName).0"], let random = try? StateValue(json: json),
            case .number(let text)? = random["seed"]
        else { return nil }
        return UInt64(text)
    }
}
