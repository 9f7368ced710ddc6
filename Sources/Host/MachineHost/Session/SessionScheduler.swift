import CombineCore
public import HTTPModel
import Locking
import StateCapture
import Synchronization

/// Runs work on a session's loop, each block as a turn of the session, so that clients receive its changes as a whole.
/// Replaces the main queue inside a hosted machine. May be used from any thread. Blocks that have not run when the
/// session ends are released without running.
///
/// A block never runs in the round in which it was scheduled, regardless of its delay. A session whose blocks keep
/// scheduling further blocks without a delay ends after ``HostConfiguration/turnsInARow`` of them.
public final class SessionScheduler: Sendable {
    /// The session's loop.
    public let loop: any EventLoop
    /// The time at which the last part of a task of the session began, in nanoseconds of the system's clock; 0 before the first part.
    let taskPartBegan = Atomic<UInt64>(0)
    /// The session; nil once it has ended. Confined to the loop.
    // A strong reference, and so a cycle. `close()` breaks it: every session calls it before it is deallocated.
    @exclusivity(unchecked) nonisolated(unsafe) var session: Session?
    /// The timers that have not fired, to be cancelled when the session ends. Confined to the loop.
    @exclusivity(unchecked) nonisolated(unsafe) private var timers: [ObjectIdentifier: ScheduledBlock] = [:]
    /// The blocks that run in the next rounds. Confined to the loop.
    @exclusivity(unchecked) nonisolated(unsafe) private var ready = ReadyQueue()

    /// The earliest time of a timer, if it is known. Confined to the loop.
    @exclusivity(unchecked) nonisolated(unsafe) private var earliest: Duration?

    /// The number of timers that have not fired. Call on the loop.
    var timerCount: Int { timers.count }

    /// Whether a block is scheduled that would be lost with the machine. Call on the loop.
    var hasUncapturedBlocks: Bool {
        loop.assertCurrent()
        return ready.count > 0 || timers.values.contains { !$0.isCaptured }
    }

    /// The time at which the next block runs, on the loop's clock; nil if no block is scheduled. Call on the loop.
    var nextDue: Duration? {
        loop.assertCurrent()
        if ready.count > 0 { return elapsed }
        guard !timers.isEmpty else { return nil }
        // A session with many timers must not look at all of them after each turn.
        if let earliest { return earliest }
        earliest = timers.values.lazy.map(\.due).min()
        return earliest
    }

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs a block on the loop in a later round, in the order in which the calls arrive there. May be called from any
    /// thread.
    public func schedule(_ block: @escaping () -> Void) {
        // Work that the factory of a restored machine schedules was done when the session began.
        if StateRegistry.isRestoring { return }
        if loop.isCurrent { return enqueue(.block(traced(block))) }
        let block = UnsafeTransfer(block)
        loop.execute { [self] in enqueue(.block(block.value)) }
    }

    /// Runs a block on the loop after a delay and, if there is an interval, again at each interval until it is
    /// cancelled or the session ends. May be called from any thread.
    ///
    /// Repetitions stay on the grid `start + k · interval`, however late each one is. A repetition that is late by an
    /// interval or more skips the missed ones.
    public func schedule(
        after delay: Duration, repeating interval: Duration?, _ block: @escaping () -> Void
    ) -> ScheduledBlock {
        schedule(after: delay, repeating: interval, isCaptured: false, block)
    }

    /// - Parameter isCaptured: Whether the block is scheduled again when the machine is restored.
    func schedule(
        after delay: Duration, repeating interval: Duration?, isCaptured: Bool, _ block: @escaping () -> Void
    ) -> ScheduledBlock {
        // The shots of a repeating timer are not what a request has caused.
        let block = interval == nil && loop.isCurrent ? traced(block) : block
        let scheduled = ScheduledBlock(block, owner: self, isCaptured: isCaptured)
        if StateRegistry.isRestoring { return scheduled }
        let grid = interval.map { TimerGrid(interval: $0) }
        if loop.isCurrent {
            begin(scheduled, after: delay, grid)
        } else {
            loop.execute { [self] in begin(scheduled, after: delay, grid) }
        }
        return scheduled
    }

    /// Returns a block that continues the trace of the turn in progress; the block itself if it has none. Call on the loop.
    private func traced(_ block: @escaping () -> Void) -> () -> Void {
        loop.assertCurrent()
        guard let session, session.endReason == nil, let cause = session.turns.trace?.link else {
            return block
        }
        return { [weak self] in
            guard let session = self?.session else { return block() }
            session.turns.continuing(cause, block)
        }
    }

    private func begin(_ scheduled: ScheduledBlock, after delay: Duration, _ grid: TimerGrid?) {
        loop.assertCurrent()
        guard let session, session.endReason == nil, !scheduled.isCancelled else { return }
        assert(scheduled.timer == nil, "expected a block that waits for no timer")
        guard delay <= .zero else { return arm(scheduled, at: elapsed + delay, grid) }
        let (due, turnDepth) = (elapsed, session.turns.current?.depth)
        note(scheduled, due: due)
        scheduled.timer = loop.schedule(after: .zero) { [weak self, weak scheduled] in
            guard let self, let scheduled else { return }
            forget(scheduled)
            // A delay of zero is not a pause: the block continues the chain of turns that scheduled it. It is queued
            // because the loop may still be in the same round.
            enqueue(.timer(scheduled, due: due, grid: grid), by: turnDepth)
        }
    }

    private func arm(_ scheduled: ScheduledBlock, at due: Duration, _ grid: TimerGrid?) {
        guard session != nil, !scheduled.isCancelled else { return }
        assert(scheduled.timer == nil, "expected a block that waits for no other timer")
        note(scheduled, due: due)
        scheduled.timer = loop.schedule(after: due - elapsed) { [weak self, weak scheduled] in
            guard let self, let scheduled else { return }
            forget(scheduled)
            // A delay is a pause, regardless of the cause of the timer: the count of turns in a row starts again.
            fire(scheduled, due: due, grid, depth: 0)
        }
    }

    private func fire(_ scheduled: ScheduledBlock, due: Duration, _ grid: TimerGrid?, depth: Int) {
        loop.assertCurrent()
        if let session, session.mustWait { return enqueue(.timer(scheduled, due: due, grid: grid)) }
        guard let grid else {
            if let block = scheduled.take() { runTurn(depth: depth, block) }
            return
        }
        guard let block = scheduled.peek() else { return }
        // Arm before running: the block may cancel the timer, or end the session, and must find it.
        arm(scheduled, at: grid.moment(after: due, now: elapsed), grid)
        runTurn(depth: depth, block)
    }

    /// The time of the loop's current round.
    private var elapsed: Duration { .nanoseconds(Int64(truncatingIfNeeded: loop.now.nanoseconds)) }

    private func note(_ scheduled: ScheduledBlock, due: Duration) {
        scheduled.due = due
        if timers.isEmpty { earliest = due } else if let known = earliest, due < known { earliest = due }
        timers[ObjectIdentifier(scheduled)] = scheduled
    }

    func forget(_ scheduled: ScheduledBlock) {
        loop.assertCurrent()
        timers[ObjectIdentifier(scheduled)] = nil
        if scheduled.due == earliest { earliest = nil }
        scheduled.timer = nil
    }

    /// Schedules a turn in the next round, because an output changed outside of a turn.
    func openTurn() {
        loop.assertCurrent()
        enqueue(.opening)
    }

    /// Schedules a turn in a later round for a value of a topic. Another session has caused it, so it continues no chain of turns.
    func enqueueReceived() {
        loop.assertCurrent()
        enqueue(.received, by: 0)
    }

    /// Drops all work, because the session has ended.
    func close() {
        // First clear the state, then release the blocks: their captured values may call the scheduler from a `deinit`.
        session = nil
        let armed = timers
        timers = [:]
        for scheduled in armed.values { scheduled.cancelOnLoop() }
        withExtendedLifetime(ready.removeAll()) {}
        assert(timers.isEmpty && ready.count == 0, "expected an ended session to schedule nothing")
    }
}

// The blocks that run in later rounds.
extension SessionScheduler {
    /// Queues a part of a task. Call on the loop. The session may have ended: the part then runs outside of a turn.
    func enqueue(_ job: SessionJob) {
        loop.assertCurrent()
        enqueue(.block(traced { job.run() }))
    }

    private func enqueue(_ work: ReadyQueue.Work) {
        // An ended session accepts no work from its machine. Its shard may already be deallocating, so it must not be
        // accessed.
        guard let session, session.endReason == nil else { return }
        enqueue(work, by: session.turns.current?.depth)
    }

    private func enqueue(_ work: ReadyQueue.Work, by turnDepth: Int?) {
        if ready.append(work, by: turnDepth, now: loop.now) { requestRun() }
    }

    private func requestRun() {
        loop.execute { [self] in runReady() }
    }

    /// Runs the blocks that were ready when the round began, as far as the limits of a round allow.
    func runReady() {
        loop.assertCurrent()
        guard let session else { return }
        if session.mustWait {
            session.shard.journal?.pause.hold(self)
            return
        }
        guard ready.count <= session.shard.blocksWaiting else {
            session.shard.endForEndlessTurns(session)
            return
        }
        // Counted before the first block runs, so that the blocks it adds wait for the next round.
        var left = min(ready.count, ReadyQueue.blocksPerRound)
        while left > 0, let block = ready.takeFirst() {
            run(block.work, depth: block.depth)
            left = session.turns.hasTimeInRound && !session.mustWait ? left - 1 : 0
        }
        if ready.endRun() { requestRun() }
    }

    private func run(_ work: ReadyQueue.Work, depth: Int) {
        switch work {
        case .block(let block): runTurn(depth: depth, block)
        case .timer(let scheduled, let due, let grid): fire(scheduled, due: due, grid, depth: depth)
        case .received: if let session { session.shard.runReceivedTurn(of: session) }
        case .opening: runTurn(depth: depth) {}
        }
    }

    private func runTurn(depth: Int, _ work: () -> Void) {
        if let session { session.shard.runScheduledTurn(of: session, depth: depth, work) }
    }
}
