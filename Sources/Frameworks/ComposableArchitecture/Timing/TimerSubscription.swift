import CombineCore
import Locking

/// A subscription that sends the scheduler's time once per interval.
final class TimerSubscription<S: Scheduler>: Subscription {
    private struct State {
        var downstream: AnySubscriber<S.SchedulerTimeType, Never>?
        var demand = Subscribers.Demand.none
        var isRunning = false
        var token: (any Cancellable)?
    }

    private let scheduler: S
    private let interval: S.SchedulerTimeType.Stride
    private let tolerance: S.SchedulerTimeType.Stride?
    private let options: S.SchedulerOptions?
    private let state: Lock<State>

    init(
        scheduler: S, interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride?,
        options: S.SchedulerOptions?, _ downstream: AnySubscriber<S.SchedulerTimeType, Never>
    ) {
        self.scheduler = scheduler
        self.interval = interval
        self.tolerance = tolerance
        self.options = options
        state = Lock(State(downstream: downstream))
    }

    /// Adds demand. The first request starts the timer.
    func request(_ demand: Subscribers.Demand) {
        let isFirst = state.withLock { state in
            state.demand += demand
            defer { state.isRunning = true }
            return !state.isRunning && state.downstream != nil
        }
        guard isFirst else { return }
        let token = MainContext.schedule(
            each: interval, tolerance: tolerance, on: scheduler, options: options
        ) { [weak self] in self?.tick($0) }
        // On an immediate scheduler the subscriber may have cancelled before the token was returned.
        let isOver = state.withLock { state in
            if state.downstream != nil { state.token = token }
            return state.downstream == nil
        }
        if isOver { token.cancel() }
    }

    func cancel() {
        let (downstream, token) = state.withLock { state in
            let taken = (state.downstream, state.token)
            state.downstream = nil
            state.token = nil
            return taken
        }
        withExtendedLifetime(downstream) {}
        token?.cancel()
    }

    private func tick(_ now: S.SchedulerTimeType) {
        let downstream = state.withLock { state -> AnySubscriber<S.SchedulerTimeType, Never>? in
            guard state.demand > .none else { return nil }
            state.demand -= 1
            return state.downstream
        }
        guard let more = downstream?.receive(now) else { return }
        state.withLock { $0.demand += more }
    }
}
