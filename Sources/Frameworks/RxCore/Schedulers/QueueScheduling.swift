import CombineCore
import Dispatch
import FoundationEssentials

/// The common implementation of the schedulers that use a dispatch queue.
struct QueueScheduling: Sendable {
    let queue: DispatchQueue
    let leeway: DispatchTimeInterval
    /// How actions run inside a hosted machine, where the session's loop replaces the main queue; nil for any other queue.
    let inlining: SubstituteScheduler.Inlining?

    init(
        queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0),
        inlining: SubstituteScheduler.Inlining? = nil
    ) {
        self.queue = queue
        self.leeway = leeway
        self.inlining = inlining
    }

    /// The scheduler that replaces the queue inside a hosted machine.
    var substitute: SubstituteScheduler? {
        guard let inlining, let box = MainContext.currentBox else { return nil }
        return SubstituteScheduler(box, inlining: inlining)
    }

    var now: RxTime { substitute?.now ?? Date() }

    /// Runs `action` on the queue and then `finish`. `finish` runs even if the action was disposed of before it started.
    func enqueue<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable, finish: @escaping () -> Void = {}
    ) -> any Disposable {
        let pending = SingleAssignmentDisposable()
        queue.schedule {
            if !pending.isDisposed { pending.setDisposable(action(state)) }
            finish()
        }
        return pending
    }

    /// Runs `action` on the queue, or on its replacement, after `dueTime`.
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        if let substitute { return substitute.scheduleRelative(state, dueTime: dueTime, action: action) }
        let begun = SingleAssignmentDisposable()
        let timer = SingleAssignmentDisposable()
        // A repeating timer that stops itself when it fires, because a delayed block of a dispatch queue cannot be
        // cancelled. The interval of 34 years never elapses.
        let token = queue.schedule(
            after: queue.now.advanced(by: .init(dueTime)), interval: .seconds(1 << 30), tolerance: .init(leeway)
        ) {
            timer.dispose()
            if !begun.isDisposed { begun.setDisposable(action(state)) }
        }
        // The timer may already have fired on the queue. It was then disposed of before it was set, and is disposed of
        // here.
        timer.setDisposable(token.asDisposable())
        return Disposables.create(timer, begun)
    }

    /// Runs `action` on the queue, or on its replacement, at the times of a grid.
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        if let substitute {
            return substitute.schedulePeriodic(state, startAfter: startAfter, period: period, action: action)
        }
        let timer = SingleAssignmentDisposable()
        // A repeating timer of the queue keeps to its times, does not run its action twice at a time, and replaces runs
        // that are late by one.
        var state = state
        let token = queue.schedule(
            after: queue.now.advanced(by: .init(startAfter)), interval: .init(period), tolerance: .init(leeway)
        ) {
            if !timer.isDisposed { state = action(state) }
        }
        timer.setDisposable(token.asDisposable())
        return timer
    }
}
