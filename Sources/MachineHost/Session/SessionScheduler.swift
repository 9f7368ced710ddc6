public import HTTPModel

/// Runs work on a session's loop, each block as a turn of the session, so that what it changes is seen by clients at once
/// and whole. Stands in for the main queue inside a hosted machine. May be called from any thread; blocks that have not run
/// when the session ends never do, and are freed.
public final class SessionScheduler: Sendable {
    /// The loop that the session lives on.
    public let loop: any EventLoop
    /// Confined to the loop: read and written there only. Let go of when the session ends, as every session does before it
    /// is freed.
    nonisolated(unsafe) var session: Session?
    /// Confined to the loop: the timers that have not fired, to be cancelled when the session ends.
    nonisolated(unsafe) private var timers: [ObjectIdentifier: ScheduledBlock] = [:]
    /// Confined to the loop.
    nonisolated(unsafe) private var isTurnOpening = false

    /// How many timers have not fired. On the loop.
    var timerCount: Int { timers.count }

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs the block on the loop, later, in the order of the calls. From any thread.
    public func schedule(_ block: @escaping () -> Void) {
        let given = GivenBlock(run: block)
        loop.execute { [self] in runTurn(given.run) }
    }

    /// Runs the block on the loop once the delay has passed, and again after each interval if there is one, until it is
    /// cancelled or the session ends. From any thread.
    public func schedule(
        after delay: Duration, repeating interval: Duration?, _ block: @escaping () -> Void
    ) -> ScheduledBlock {
        let scheduled = ScheduledBlock(block, owner: self)
        if loop.isCurrent {
            arm(scheduled, after: delay, interval: interval)
        } else {
            loop.execute { [self] in arm(scheduled, after: delay, interval: interval) }
        }
        return scheduled
    }

    private func arm(_ scheduled: ScheduledBlock, after delay: Duration, interval: Duration?) {
        guard session != nil, !scheduled.isCancelled else { return }
        timers[ObjectIdentifier(scheduled)] = scheduled
        scheduled.timer = loop.schedule(after: max(delay, .zero)) { [weak self, weak scheduled] in
            guard let self, let scheduled else { return }
            fire(scheduled, interval: interval)
        }
    }

    private func fire(_ scheduled: ScheduledBlock, interval: Duration?) {
        forget(scheduled)
        guard let interval else {
            if let block = scheduled.take() { runTurn(block) }
            return
        }
        guard let block = scheduled.peek() else { return }
        arm(scheduled, after: interval, interval: interval)
        runTurn(block)
    }

    func forget(_ scheduled: ScheduledBlock) {
        timers[ObjectIdentifier(scheduled)] = nil
        scheduled.timer = nil
    }

    /// Runs the work as a turn, or as a part of the one that is under way. On the loop.
    func runTurn(_ work: () -> Void) {
        session?.runScheduledTurn(work)
    }

    /// Something was sent outside of a turn: one that shows it is opened when the present round has done its work.
    func openTurnAtEndOfRound() {
        guard !isTurnOpening, session != nil else { return }
        isTurnOpening = true
        loop.execute { [self] in
            isTurnOpening = false
            runTurn {}
        }
    }

    /// The session has ended: nothing runs any more.
    func close() {
        session = nil
        let armed = timers
        timers = [:]
        for scheduled in armed.values { scheduled.cancelOnLoop() }
    }
}

/// A block on its way to the loop.
///
/// Sendable because the caller gives it away, and it is run once, on the loop.
private struct GivenBlock: @unchecked Sendable {
    let run: () -> Void
}
