import CombineCore
import Locking

/// The stream between work that sends when it likes and a subscriber that asks when it likes.
///
/// Values are delivered one at a time and in the order in which they were sent, by whichever thread is there first.
final class EffectChannel<Output, Failure: Error>: Subscription, @unchecked Sendable {
    // Sendable because everything that changes is behind the lock; what is delivered is delivered by one thread at a time.
    private struct State {
        var downstream: AnySubscriber<Output, Failure>?
        var waiting = Queue<Output>()
        var completion: Subscribers.Completion<Failure>?
        var demand = Subscribers.Demand.none
        var isDelivering = false
        var teardown: (any Cancellable)?
        var isOver = false
    }

    private enum Step {
        case value(Output, AnySubscriber<Output, Failure>)
        case completion(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>, (any Cancellable)?)
        case rest
    }

    private let state: Lock<State>

    init(_ downstream: AnySubscriber<Output, Failure>) {
        state = Lock(State(downstream: downstream))
    }

    /// Starts the work, unless the stream has been cancelled already, and keeps what stops it.
    func startWork(_ work: () -> any Cancellable) {
        guard !state.withLock({ $0.isOver }) else { return }
        let token = work()
        let isOver = state.withLock { state in
            if !state.isOver { state.teardown = token }
            return state.isOver
        }
        if isOver { token.cancel() }
    }

    func send(_ value: Output) {
        state.withLock { state in
            if !state.isOver, state.completion == nil { state.waiting.append(value) }
        }
        deliver()
    }

    func send(completion: Subscribers.Completion<Failure>) {
        state.withLock { state in
            if !state.isOver, state.completion == nil { state.completion = completion }
        }
        deliver()
    }

    /// Delivers a value or a failure and ends; does nothing if the stream has ended or been given its end already.
    func fulfill(_ result: Result<Output, Failure>) {
        state.withLock { state in
            guard !state.isOver, state.completion == nil else { return }
            switch result {
            case .success(let value):
                state.waiting.append(value)
                state.completion = .finished
            case .failure(let error): state.completion = .failure(error)
            }
        }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        deliver()
    }

    func cancel() {
        let (downstream, teardown) = state.withLock { state in
            let taken = (state.downstream, state.teardown)
            state.isOver = true
            state.downstream = nil
            state.teardown = nil
            state.waiting = Queue()
            return taken
        }
        withExtendedLifetime(downstream) {}
        teardown?.cancel()
    }

    /// Delivers as long as there is something that was asked for, unless somebody is at it already.
    private func deliver() {
        guard state.withLock({ state in state.isDelivering ? false : Self.set(&state.isDelivering) }) else { return }
        while true {
            switch state.withLock({ Self.next(&$0) }) {
            case .value(let value, let downstream):
                let more = downstream.receive(value)
                state.withLock { $0.demand += more }
            case .completion(let completion, let downstream, let teardown):
                downstream.receive(completion: completion)
                teardown?.cancel()
                return
            case .rest: return
            }
        }
    }

    private static func set(_ flag: inout Bool) -> Bool {
        flag = true
        return true
    }

    private static func next(_ state: inout State) -> Step {
        if let downstream = state.downstream {
            if state.demand > .none, let value = state.waiting.removeFirst() {
                state.demand -= 1
                return .value(value, downstream)
            }
            if state.waiting.isEmpty, let completion = state.completion {
                let teardown = state.teardown
                state.isOver = true
                state.downstream = nil
                state.teardown = nil
                return .completion(completion, downstream, teardown)
            }
        }
        state.isDelivering = false
        return .rest
    }
}
