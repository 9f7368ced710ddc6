import CombineCore
import HTTPModel
import Locking
import StateCapture

/// The declared effects and timers of a session. Confined to the session's loop, except where noted.
///
/// An effect that starts or ends is an event of the turn in which that happens, and becomes part of the turn's row. Its
/// work begins when the row is stored. With the durability ``Durability/memory``, there are no events, and the work begins
/// immediately.
package final class SessionEffects {
    private let scheduler: SessionScheduler
    /// Subscribes again to a stored effect that no subscriber of the restored machine has claimed, by name.
    var adopters: [String: ((OpenEffect) -> Void)?] = [:]
    /// The first name that was declared twice.
    package private(set) var duplicateName: String?
    /// Runs a stored effect in a restored store, whose reducer has not returned it there, with the names by which it is
    /// cancelled.
    package var run: (_ effect: Any, _ cancellationNames: [String]) -> Void = { _, _ in }
    /// The topics of the session; nil before the first one is used.
    var topics: SessionTopics?
    /// Whether the answers come from a record, so that nothing is asked.
    var isReplaying = false

    /// The effects that have started and not ended.
    private var open: [UInt64: RunningEffect] = [:]
    /// The number of the effect that started last.
    var lastID: UInt64 = 0
    private var events: [EffectEvent] = []
    /// The error that keeps the turn in progress from being stored.
    private var failure: (any Error)?
    /// The effects whose start is part of no row yet.
    private var unrecorded: [RunningEffect] = []
    /// The effects that begin when the loop has stored a number of changes.
    private var gated = Queue<(sequence: UInt64, effect: RunningEffect)>()

    /// The stored effects to which the machine has not subscribed yet.
    var unclaimed: [OpenEffect] = []
    /// The stored effects to which the machine has subscribed, until the wiring ends.
    var claimed: [RunningEffect] = []

    init(_ scheduler: SessionScheduler) {
        self.scheduler = scheduler
    }

    var session: Session? { scheduler.session }

    @inline(__always)
    func assertOnLoop(_ function: StaticString = #function) { scheduler.loop.assertCurrent(function) }

    /// The time of the loop's current round, on its clock.
    var now: Duration { .nanoseconds(Int64(truncatingIfNeeded: scheduler.loop.now.nanoseconds)) }

    /// The stored time at which the loop's clock was zero, in nanoseconds.
    var clockOffset: Int64 { session?.clock.offset ?? 0 }

    /// Runs a block as a turn. May be called from any thread.
    func schedule(_ block: @escaping () -> Void) { scheduler.schedule(block) }

    /// Runs a block of a timer, which is stored with the session, as a turn after a delay.
    func schedule(after delay: Duration, _ block: @escaping () -> Void) -> ScheduledBlock {
        scheduler.schedule(after: delay, repeating: nil, isCaptured: true, block)
    }

    /// Declares a name.
    ///
    /// - Parameter adopt: Subscribes to a stored effect on behalf of a machine that cannot do that itself.
    func declare(_ name: String, adopt: ((OpenEffect) -> Void)? = nil) {
        assertOnLoop()
        if adopters.updateValue(adopt, forKey: name) != nil { duplicateName = duplicateName ?? name }
    }

    /// Whether a turn has started an effect that waits for its row.
    var hasUnrecorded: Bool { !unrecorded.isEmpty }

    /// Whether the journal contains no effects of the session, and the turn in progress has none for it.
    var hasNothingStored: Bool { open.isEmpty && unclaimed.isEmpty && events.isEmpty }

    /// The number of effects and timers in progress.
    var count: Int { open.count }

    /// Whether an effect waits for an answer, which only this process can receive. Such a session must stay in memory.
    var awaitsAnswer: Bool {
        assertOnLoop()
        return open.values.contains { $0.due == nil }
    }

    /// The stored timers of a session whose machine is not in memory.
    var dormant: [OpenEffect] { unclaimed }

    /// The effects and timers in progress, in the order of their starts.
    var inProgress: [RunningEffect] { open.values.sorted { $0.id < $1.id } }

    /// The stored time at which the first timer is due, in milliseconds; nil without timers.
    // Rounded down: a session that is woken too early finds nothing to do, one that is woken too late is late.
    var wakesAt: Int64? {
        assertOnLoop()
        var first: Duration?
        for effect in open.values { if let due = effect.due { first = min(first ?? due, due) } }
        return first.map { $0.wholeNanoseconds.addingClamped(clockOffset) / 1_000_000 }
    }
}

// The lives of effects.
extension SessionEffects {
    /// Starts an effect to which the machine has subscribed. May be called from any thread.
    func begin(_ effect: RunningEffect) {
        guard scheduler.loop.isCurrent else {
            let transfer = UnsafeTransfer((self, effect))
            return scheduler.schedule { transfer.value.0.begin(transfer.value.1) }
        }
        guard let session, session.endReason == nil, !effect.isCancelled else { return }
        if let index = unclaimed.firstIndex(where: effect.matches) {
            let stored = unclaimed.remove(at: index)
            effect.adopt(stored)
            open[stored.id] = effect
            return claimed.append(effect)
        }
        // The effect had ended in the machine's first life, and its answer is part of what is restored.
        if StateRegistry.isRestoring { return effect.finishSilently() }
        guard session.isInTurn else { return scheduler.schedule { [self] in begin(effect) } }
        lastID += 1
        assert(open[lastID] == nil, "expected a new number for an effect, got \(lastID)")
        assert(effect.id == 0, "expected an effect that has not started, got \(effect.id)")
        effect.id = lastID
        effect.startedAt = session.clock.storedMilliseconds
        effect.trace = session.turns.trace?.link
        guard session.storage != nil else {
            open[lastID] = effect
            return effect.start()
        }
        do {
            let work = try effect.work()
            events.append(
                .started(
                    OpenEffect(
                        id: lastID, name: effect.name, startedAt: effect.startedAt,
                        cancellationNames: effect.cancellationNames, trace: work.isAnswer ? effect.trace : nil,
                        work: work)))
        } catch {
            return fail(UnstorableEffect(effect: effect.name, part: "question", cause: error))
        }
        open[lastID] = effect
        if effect.startsBeforeCommit { effect.start() } else { unrecorded.append(effect) }
    }

    /// Ends an effect on the loop, because its subscriber has cancelled. May be called from any thread.
    func cancel(_ effect: RunningEffect) {
        guard scheduler.loop.isCurrent else {
            let transfer = UnsafeTransfer((self, effect))
            return scheduler.loop.execute { transfer.value.0.end(transfer.value.1, .cancelled) }
        }
        end(effect, .cancelled)
    }

    /// Returns an effect in progress; nil if it has ended.
    func running(_ id: UInt64) -> RunningEffect? { open[id] }

    /// Whether an effect has started and not ended.
    func isOpen(_ effect: RunningEffect) -> Bool { open[effect.id] === effect }

    /// Ends an effect, unless it has ended already.
    func end(_ effect: RunningEffect, _ outcome: @autoclosure () -> EffectEvent.Outcome) {
        assertOnLoop()
        guard isOpen(effect) else { return }
        open[effect.id] = nil
        unrecorded.removeAll { $0 === effect }
        note(.ended(id: effect.id, outcome()))
        effect.stop()
    }

    /// Makes an event part of the turn in progress, or of a turn of its own.
    func note(_ event: @autoclosure () -> EffectEvent) {
        assertOnLoop()
        guard let session, session.storage != nil, session.endReason == nil else { return }
        events.append(event())
        if !session.isInTurn { scheduler.openTurn() }
    }

    /// Makes the turn in progress fail.
    func fail(_ error: any Error) {
        assertOnLoop()
        failure = failure ?? error
        if session?.isInTurn == false { scheduler.openTurn() }
    }

    /// Cancels all work, because the session has ended.
    func close() {
        let ended = inProgress
        let former = (adopters, run)
        (adopters, open, unrecorded, unclaimed, claimed) = ([:], [:], [], [], [])
        gated = Queue()
        run = { _, _ in }
        // After the state is cleared: what is released may call back.
        for effect in ended { effect.stop() }
        withExtendedLifetime(former) {}
        assert(open.isEmpty && gated.isEmpty, "expected an ended session to have no effects, got \(open.count)")
    }
}

// The journal and its gate.
extension SessionEffects {
    /// Removes and returns the events of the turn in progress.
    ///
    /// - Throws: The error of a question or an answer that cannot be stored.
    func takeEvents() throws -> [EffectEvent] {
        assertOnLoop()
        if let failure { throw failure }
        if events.isEmpty { return [] }
        defer { events = [] }
        return events
    }

    /// Queues the effects of the turn that was recorded last until the loop has stored a number of changes.
    func turnWasRecorded(as sequence: UInt64) {
        assertOnLoop()
        assert(
            gated.first.map { $0.sequence <= sequence } ?? true,
            "expected a change after those that wait, got \(sequence)")
        for effect in unrecorded { gated.append((sequence, effect)) }
        unrecorded = []
    }

    /// Begins the effects of stored turns.
    func start(upTo sequence: UInt64) {
        assertOnLoop()
        while let first = gated.first, first.sequence <= sequence {
            _ = gated.removeFirst()
            guard let session, isOpen(first.effect) else { continue }
            session.asMainQueue { first.effect.start() }
        }
    }

    /// Queues an effect, which is asked again when the turn in progress is stored.
    func askAgain(_ effect: RunningEffect, lease: UInt64) {
        assertOnLoop()
        assert(isOpen(effect), "expected an effect in progress, got \(effect.id)")
        note(.asked(id: effect.id, lease: lease))
        unrecorded.append(effect)
    }
}
