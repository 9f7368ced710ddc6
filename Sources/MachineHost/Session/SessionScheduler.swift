import CombineCore
public import HTTPModel
import Locking

/// Runs work on a session's loop, each block as a turn of the session, so that what it changes is seen by clients at once
/// and whole. Stands in for the main queue inside a hosted machine. May be called from any thread; blocks that have not run
/// when the session ends never do, and are freed.
///
/// Nothing runs in the round of the loop in which it was scheduled, whatever its delay. A machine whose blocks go on to
/// schedule further blocks without a delay is ended after ``HostConfiguration/turnsInARow`` of them.
public final class SessionScheduler: Sendable {
    /// The loop that the session lives on.
    public let loop: any EventLoop
    /// Confined to the loop: read and written there only. Let go of when the session ends, as every session does before it
    /// is freed.
    @exclusivity(unchecked) nonisolated(unsafe) var session: Session?
    /// Confined to the loop: the timers that have not fired, to be cancelled when the session ends.
    @exclusivity(unchecked) nonisolated(unsafe) private var timers: [ObjectIdentifier: ScheduledBlock] = [:]
    /// Confined to the loop: what runs in the next rounds.
    @exclusivity(unchecked) nonisolated(unsafe) private var ready = ReadyQueue()

    /// How many timers have not fired. On the loop.
    var timerCount: Int { timers.count }

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs the block on the loop, in a later round, in the order in which the calls arrive there. From any thread.
    public func schedule(_ block: @escaping () -> Void) {
        if loop.isCurrent { return enqueue(.block(block)) }
        let block = UnsafeTransfer(block)
        loop.execute { [self] in enqueue(.block(block.value)) }
    }

    /// Runs the block on the loop once the delay has passed, and again after each interval if there is one, until it is
    /// cancelled or the session ends. From any thread.
    ///
    /// The repetitions stay on the grid `start + k · interval`, however late each of them is. One that is late by an
    /// interval or more leaves out what it has missed.
    public func schedule(
        after delay: Duration, repeating interval: Duration?, _ block: @escaping () -> Void
    ) -> ScheduledBlock {
        let scheduled = ScheduledBlock(block, owner: self)
        let grid = interval.map { TimerGrid(interval: $0) }
        if loop.isCurrent {
            begin(scheduled, after: delay, grid)
        } else {
            loop.execute { [self] in begin(scheduled, after: delay, grid) }
        }
        return scheduled
    }

    private func begin(_ scheduled: ScheduledBlock, after delay: Duration, _ grid: TimerGrid?) {
        guard let session, session.endReason == nil, !scheduled.isCancelled else { return }
        guard delay <= .zero else { return arm(scheduled, at: elapsed + delay, grid) }
        let (due, turnDepth) = (elapsed, session.shard.currentTurn?.depth)
        timers[ObjectIdentifier(scheduled)] = scheduled
        scheduled.timer = loop.schedule(after: .zero) { [weak self, weak scheduled] in
            guard let self, let scheduled else { return }
            forget(scheduled)
            // No time has passed: the block follows what has scheduled it, and the loop may still be in the same round.
            enqueue(.timer(scheduled, due: due, grid: grid), by: turnDepth)
        }
    }

    private func arm(_ scheduled: ScheduledBlock, at due: Duration, _ grid: TimerGrid?) {
        guard session != nil, !scheduled.isCancelled else { return }
        timers[ObjectIdentifier(scheduled)] = scheduled
        scheduled.timer = loop.schedule(after: due - elapsed) { [weak self, weak scheduled] in
            guard let self, let scheduled else { return }
            forget(scheduled)
            // Time has passed: whatever has led to the timer, the machine has rested.
            fire(scheduled, due: due, grid, depth: 0)
        }
    }

    private func fire(_ scheduled: ScheduledBlock, due: Duration, _ grid: TimerGrid?, depth: Int) {
        guard let grid else {
            if let block = scheduled.take() { session?.runScheduledTurn(depth: depth, block) }
            return
        }
        guard let block = scheduled.peek() else { return }
        arm(scheduled, at: grid.moment(after: due, now: elapsed), grid)
        session?.runScheduledTurn(depth: depth, block)
    }

    /// The time of the loop's round.
    private var elapsed: Duration { .nanoseconds(Int64(truncatingIfNeeded: loop.now.nanoseconds)) }

    func forget(_ scheduled: ScheduledBlock) {
        timers[ObjectIdentifier(scheduled)] = nil
        scheduled.timer = nil
    }

    /// Something was sent outside of a turn: one that shows it is opened in the next round.
    func openTurn() {
        enqueue(.opening)
    }

    /// The session has ended: nothing runs any more.
    func close() {
        session = nil
        let armed = timers
        timers = [:]
        for scheduled in armed.values { scheduled.cancelOnLoop() }
        withExtendedLifetime(ready.removeAll()) {}
    }
}

// What runs in later rounds.
extension SessionScheduler {
    private func enqueue(_ work: ReadyQueue.Work) {
        // A session that ends takes nothing from its machine any more; its shard may be going away itself.
        guard let session, session.endReason == nil else { return }
        enqueue(work, by: session.shard.currentTurn?.depth)
    }

    private func enqueue(_ work: ReadyQueue.Work, by turnDepth: Int?) {
        if ready.append(work, by: turnDepth, now: loop.now) { requestRun() }
    }

    private func requestRun() {
        loop.execute { [self] in runReady() }
    }

    /// Runs what was ready when the round began, as far as one round may.
    private func runReady() {
        guard let session else { return }
        guard ready.count <= session.shard.blocksWaiting else {
            session.shard.failForRestlessness(session)
            return
        }
        var left = min(ready.count, ReadyQueue.blocksPerRound)
        while left > 0, let block = ready.takeFirst() {
            run(block.work, depth: block.depth)
            left = session.shard.hasTimeInRound ? left - 1 : 0
        }
        if ready.endRun() { requestRun() }
    }

    private func run(_ work: ReadyQueue.Work, depth: Int) {
        switch work {
        case .block(let block): session?.runScheduledTurn(depth: depth, block)
        case .timer(let scheduled, let due, let grid): fire(scheduled, due: due, grid, depth: depth)
        case .opening: session?.runScheduledTurn(depth: depth) {}
        }
    }
}
