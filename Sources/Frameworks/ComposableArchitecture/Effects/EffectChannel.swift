import CombineCore
import Locking

/// A subscription that buffers values from any thread until there is demand.
///
/// Values are delivered one at a time and in the order in which they were sent. The thread that finds the channel idle
/// delivers them.
final class EffectChannel<Output, Failure: Error>: Subscription, @unchecked Sendable {
    // Sendable because all mutable state is guarded by the lock, and one thread at a time delivers.
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

    /// Starts the work and stores its token. Does nothing if the subscription has been cancelled.
    func startWork(_ work: () -> any Cancellable) {
        guard !state.withLock({ $0.isOver }) else { return }
        let token = work()
        // The work may have ended the stream before its token existed; then the token has to be cancelled here.
        let isOver = state.withLock { state in
            if !state.isOver { state.teardown = token }
            return state.isOver
        }
        if isOver { token.cancel() }
    }

    /// Whether the stream has completed, or will when the waiting values have been delivered. False after a cancellation.
    var hasCompleted: Bool { state.withLock { $0.completion != nil } }

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

    /// Sends a value and completes, or fails. Ignored if the channel has ended or a completion is pending.
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

    /// Delivers buffered values while there is demand. Returns immediately if another call is delivering.
    private func deliver() {
        // A re-entrant or concurrent call must not deliver: the call in progress picks up its values, which keeps the
        // order.
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
