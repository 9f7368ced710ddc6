import CombineCore
import Locking

/// A subscription that runs effects one after another.
///
/// Effects are started in a loop, not recursively from the completion of the one before, so that a long chain of
/// effects that complete immediately does not grow the stack.
final class EffectChain<Output, Failure: Error>: Subscriber, Subscription {
    private struct State {
        var waiting: ArraySlice<Effect<Output, Failure>>
        var downstream: AnySubscriber<Output, Failure>?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        /// Whether the loop that starts effects is running.
        var isStarting = false
        /// Whether an effect completed while the loop was starting it.
        var isDue = false
    }

    private let state: Lock<State>
    private let scope: EffectScope
    private let origin = EffectOrigin.current

    init(_ effects: [Effect<Output, Failure>], _ downstream: AnySubscriber<Output, Failure>, scope: EffectScope) {
        state = Lock(State(waiting: effects[...], downstream: downstream))
        self.scope = scope
    }

    /// Starts the next effect, or completes downstream after the last one. If the loop is already running, it leaves
    /// the work to the loop.
    func advance() {
        let isMine = state.withLock { state in
            if state.isStarting { state.isDue = true }
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isMine else { return }
        repeat { startNext() } while hasCompletedMeanwhile()
    }

    private func startNext() {
        let (next, downstream) = state.withLock { state in
            let next = state.waiting.popFirst()
            let downstream = state.downstream
            if next == nil { state.downstream = nil }
            return (next, downstream)
        }
        guard let downstream else { return }
        guard let next else { return downstream.receive(completion: .finished) }
        scope.run { origin.restore { next.receive(subscriber: self) } }
    }

    /// Returns whether the effect that was just started has completed, so that the loop must continue.
    private func hasCompletedMeanwhile() -> Bool {
        state.withLock { state in
            state.isStarting = state.isDue && state.downstream != nil
            state.isDue = false
            return state.isStarting
        }
    }

    func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = state.withLock { state in
            guard state.downstream != nil else { return nil }
            state.upstream = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
        let downstream = state.withLock { state in
            if state.demand > .none { state.demand -= 1 }
            return state.downstream
        }
        guard let more = downstream?.receive(input) else { return .none }
        state.withLock { $0.demand += more }
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure = completion {
            let downstream = state.withLock { state in
                defer { state.downstream = nil }
                state.waiting = []
                return state.downstream
            }
            downstream?.receive(completion: completion)
        } else {
            advance()
        }
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state in
            state.demand += demand
            return state.upstream
        }
        upstream?.request(demand)
    }

    func cancel() {
        let taken = state.withLock { state in
            let taken = (state.upstream, state.downstream, state.waiting)
            state.upstream = nil
            state.downstream = nil
            state.waiting = []
            return taken
        }
        taken.0?.cancel()
    }
}
