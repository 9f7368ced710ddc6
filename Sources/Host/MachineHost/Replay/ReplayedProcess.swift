import HTTPModel
import JSONText
import Locking
import Log
import StateCapture

/// A process that hosts one recorded session, without a journal, and whose effects ask nobody.
final class ReplayedProcess {
    /// The time of the loop when a process begins. Not zero, which stands for the current time elsewhere.
    private static let beginning = MonotonicTime(nanoseconds: 1_000_000_000_000)

    let session: Session
    private let machine: RegisteredMachine
    private let loop: ReplayLoop
    private let shard: SessionShard
    /// By how much the wall clock is ahead of stored times, in milliseconds.
    private let wallLead: Lock<Int64>
    private var batch = JournalBatch()

    /// Creates a process with a session, whose machine is wired but has taken no turn.
    ///
    /// - Parameters:
    ///   - stored: The session to continue; nil for a new one.
    ///   - seed: The seed of a new session's random numbers.
    ///   - creation: The parameters and the name that the client of a new session has stated.
    ///   - nanoseconds: The stored time at which the process begins, in nanoseconds.
    init(
        _ definition: MachineDefinition, _ configuration: HostConfiguration, log: Log, restoring stored: StoredSession?,
        seed: UInt64? = nil, ownership: SessionOwnership = SessionOwnership(), creation: SessionCreation? = nil,
        at nanoseconds: Int64
    ) throws {
        let time = WallTime(
            seconds: nanoseconds / 1_000_000_000, nanoseconds: Int32(truncatingIfNeeded: nanoseconds % 1_000_000_000))
        let (loop, wallLead) = (ReplayLoop(at: ReplayedProcess.beginning), Lock<Int64>(0))
        (self.loop, self.wallLead) = (loop, wallLead)
        // The writer never gets a journal. It only hands out the batch into which the session writes its turns.
        var configuration = configuration
        (configuration.turnsPerSnapshot, configuration.bytesPerSnapshot) = (.max, .max)
        let writer = JournalWriter(durability: .disk, executor: IdleExecutor()) {
            time + (loop.now - ReplayedProcess.beginning) + .milliseconds(wallLead.withLock { $0 })
        } uptime: {
            loop.now
        } onFailure: { _ in
        }
        let host = try SessionHost(
            [definition], configuration: configuration, log: log, wallClock: { time }, journal: writer)
        guard let machine = host.catalogue[definition.name], machine.durability > .memory else {
            throw ReplayError.notCaptured(definition.name, reason: definition.obstacleText ?? "it is not stored")
        }
        self.machine = machine
        let shard = host.makeShard(on: loop)
        self.shard = shard
        let registry = shard.makeRegistry(restoring: stored?.states)
        registry.seed = seed
        let id = SessionID.random(onLoop: 0, of: 1)
        session = Session(
            id: id, machine: machine, client: try host.reserveRestored(nil), shard: shard,
            storage: SessionStorage(id: StoredSessionID(of: id), registry: registry), restoring: stored,
            ownership: ownership, creation: creation)
        session.context.effects.isReplaying = true
        shard.sessions.add(session)
        try session.start(restoring: stored)
    }

    deinit {
        session.stop(.draining)
    }

    /// The values of the outputs, by name.
    var shown: [String: ArraySlice<UInt8>] {
        var shown: [String: ArraySlice<UInt8>] = [:]
        for cell in session.board?.cells ?? [] where !cell.shown.isEmpty {
            shown[machine.definition.outputs[cell.index].name] = cell.shown[...]
        }
        return shown
    }

    /// Continues the effects in progress when the recording began: nothing was interrupted.
    func continueEffects() {
        _ = shard.turn(of: session) { _ in session.context.declaredEffects?.continueRecorded() }
        _ = takeRows()
    }

    /// Continues as the recorded process did after it was restored.
    func resume(_ record: TurnRecord) {
        setWallClock(of: record)
        _ = shard.turn(of: session, .resumed) { machine in
            let effects = session.context.declaredEffects?.resume() ?? []
            machine.resumed((session.storage?.registry.interruptedWork ?? []) + effects)
        }
    }

    /// Advances the time to a turn that something outside of the machine has caused.
    ///
    /// - Parameter most: The number of timers after which to stop.
    func advance(to record: TurnRecord, most: Int) {
        setWallClock(of: record)
        loop.runOverdue(before: time(of: record), most: most)
        loop.advance(to: time(of: record))
    }

    /// The work that was in progress when the recording began, and that only the machine could continue.
    var interrupted: [InterruptedWork] { session.storage?.registry.interruptedWork ?? [] }

    func run(input name: String, _ value: ArraySlice<UInt8>, from sender: RecordedSender?) throws {
        guard let (_, read) = machine.reader(ofInput: name) else {
            throw ReplayMismatch("expected one of the machine's inputs \(machine.inputNames), got \"\(name)\"")
        }
        let prepared: PreparedInput
        do throws(InputMismatch) {
            prepared = try read(try ReplayedProcess.document(value).slice)
        } catch {
            throw ReplayMismatch("the input \"\(name)\" does not fit the machine: \(error.detail)")
        }
        run([prepared], .input(name: name, value: value), from: sender)
    }

    /// Delivers a value of a topic.
    func receive(_ value: ArraySlice<UInt8>, of topic: String, _ number: UInt64) {
        shard.receive(value, of: topic, number, in: session)
    }

    /// Runs a batch of inputs.
    func run(batch value: ArraySlice<UInt8>, from sender: RecordedSender?) throws {
        var prepared: [PreparedInput] = []
        do throws(InputMismatch) {
            for element in try ReplayedProcess.document(value).elements ?? [] {
                prepared.append(try shard.prepare(element, of: machine))
            }
        } catch {
            throw ReplayMismatch("the batch does not fit the machine: \(error.detail)")
        }
        run(prepared, .batch(value), from: sender)
    }

    private func run(_ inputs: [PreparedInput], _ trigger: TurnRecord.Trigger, from sender: RecordedSender?) {
        let sender: InputSender? =
            switch sender {
            case nil: nil
            case .same: session.ownership.lastSender
            case .new(let sender): sender
            }
        _ = shard.turn(of: session, trigger, from: sender) { machine in
            for input in inputs {
                // The inputs after one that is refused are not run.
                do throws(InputRefusal) { try input.run(on: machine, in: session.context) } catch { return }
            }
        }
    }

    private static func document(_ value: ArraySlice<UInt8>) throws(InputMismatch) -> JSONValue {
        let bytes = Array(value)
        guard let range = try? JSONScanner.document(bytes, nestingLimit: 512) else {
            throw InputMismatch(pointer: "", detail: "expected JSON, got \(ReplayText.clipped(value))")
        }
        return JSONValue(bytes: bytes, range: range)
    }

    /// Returns whether a recorded turn was caused by an answer.
    func isAnswered(by record: TurnRecord) -> Bool {
        record.effects.contains { event in
            guard case .ended(let id, let outcome) = event, outcome.isAnswer else { return false }
            return session.context.declaredEffects?.running(id)?.due == nil
        }
    }

    /// Answers an effect as it was answered in a recorded turn, in a turn of its own.
    ///
    /// - Returns: Whether the turn was caused by an answer.
    func answer(_ record: TurnRecord) throws -> Bool {
        guard let effects = session.context.declaredEffects else { return false }
        for case .ended(let id, let outcome) in record.effects where outcome.isAnswer {
            guard let effect = effects.running(id) else {
                throw ReplayMismatch("expected the effect \(id) to be in progress, which the record answers")
            }
            guard effect.due == nil else { continue }
            var failure: (any Error)?
            shard.runScheduledTurn(of: session, depth: 0) {
                do { try effect.replay(outcome) } catch { failure = error }
            }
            if let failure { throw ReplayMismatch("\(failure)") }
            return true
        }
        return false
    }

    /// Runs the next scheduled block. Returns whether there was one that was due when a recorded turn ran.
    func runNext(for record: TurnRecord) -> Bool {
        setWallClock(of: record)
        return loop.runNext(for: time(of: record))
    }

    /// Sets the wall clock to what it was in a recorded turn.
    private func setWallClock(of record: TurnRecord) {
        wallLead.withLock { $0 = record.wallLead }
        shard.clock.stored.deriveWallLead()
    }

    /// Returns the rows that the session has written since the last call.
    func takeRows() -> [ArraySlice<UInt8>] {
        guard let journal = shard.journal else { return [] }
        batch.removeAll()
        let sequence = journal.exchange(&batch)
        var rows: [ArraySlice<UInt8>] = []
        for case .append(let row) in batch.changes { rows.append(batch.bytes[row.content]) }
        shard.changesWereStored(upTo: sequence)
        return rows
    }

    private func time(of record: TurnRecord) -> MonotonicTime {
        let nanoseconds = record.nanoseconds &- shard.clock.offset
        return MonotonicTime(nanoseconds: UInt64(max(0, nanoseconds)))
    }
}

/// A thread that runs nothing.
private struct IdleExecutor: JournalExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) {}
    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {}
}

extension EffectEvent.Outcome {
    /// Whether this outcome came from outside of the machine.
    fileprivate var isAnswer: Bool {
        switch self {
        case .answer, .failure, .finished: true
        case .cancelled, .interrupted: false
        }
    }
}
