import CombineCore
import Locking

/// A subscriber between an effect and the store that can complete the effect early, when its id is cancelled.
final class CancellableLink<Output, Failure: Error>: Subscriber, Subscription {
    private struct State {
        var downstream: AnySubscriber<Output, Failure>?
        var upstream: (any Subscription)?
        var demand = Subscribers.Demand.none
        var forget: (() -> Void)?
    }

    private let state: Lock<State>

    /// Creates a link to `downstream`.
    ///
    /// - Parameter forget: Removes the effect from the table. Not called by ``finish()``, whose caller has removed it
    ///   already.
    init(_ downstream: AnySubscriber<Output, Failure>, forget: @escaping () -> Void) {
        state = Lock(State(downstream: downstream, forget: forget))
    }

    /// Completes the effect early. Effects that are concatenated to it start.
    func finish() {
        let taken = takeAll()
        taken.upstream?.cancel()
        taken.downstream?.receive(completion: .finished)
    }

    func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = state.withLock { state in
            guard state.downstream != nil, state.upstream == nil else { return nil }
            state.upstream = subscription
            return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
        state.withLock { $0.downstream }?.receive(input) ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        let taken = takeAll()
        taken.forget?()
        taken.downstream?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
        let upstream = state.withLock { state in
            if state.upstream == nil { state.demand += demand }
            return state.upstream
        }
        upstream?.request(demand)
    }

    func cancel() {
        let taken = takeAll()
        taken.forget?()
        taken.upstream?.cancel()
    }

    private func takeAll() -> State {
        state.withLock { state in
            let taken = state
            state = State()
            return taken
        }
    }
}
