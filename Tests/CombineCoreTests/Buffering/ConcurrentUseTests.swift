import CombineCore
import Dispatch
import Locking
import Testing

@Suite struct ConcurrentUseTests {
    /// Sends from two threads while a third one requests values and a fourth one cancels, and returns the largest
    /// number of concurrent deliveries.
    private func hammer<P: Publisher>(_ makeStream: (PassthroughSubject<Int, Never>) -> P) -> Int {
        let subject = PassthroughSubject<Int, Never>()
        let shared = Shared<P.Output, P.Failure>()
        makeStream(subject).subscribe(shared)
        let actions = Actions(
            send: { subject.send($0) }, request: { shared.subscription?.request(.max(2)) },
            cancel: { shared.subscription?.cancel() })
        onThreads(4) { thread in
            for round in 0..<500 {
                switch thread {
                case 0, 1: actions.send(round)
                case 2: actions.request()
                default: if round == 400 { actions.cancel() }
                }
            }
        }
        return shared.most
    }

    /// What threads do with a stream. Sendable because the subject and the subscriber are thread-safe.
    private struct Actions: @unchecked Sendable {
        let send: (Int) -> Void
        let request: () -> Void
        let cancel: () -> Void
    }

    /// A subscriber that records the largest number of concurrent deliveries.
    final class Shared<Input, Failure: Error>: Subscriber {
        private struct State {
            var inside = 0
            var most = 0
            var subscription: (any Subscription)?
        }

        private let state = Lock(State())

        var subscription: (any Subscription)? { state.withLock { $0.subscription } }
        var most: Int { state.withLock { $0.most } }

        func receive(subscription: any Subscription) { state.withLock { $0.subscription = subscription } }

        func receive(_ input: Input) -> Subscribers.Demand {
            state.withLock {
                $0.inside += 1
                $0.most = max($0.most, $0.inside)
            }
            state.withLock { $0.inside -= 1 }
            return .max(1)
        }

        func receive(completion: Subscribers.Completion<Failure>) {}
    }

    @Test func `values are delivered one at a time when several threads send, request and cancel`() {
        #expect(hammer { $0.buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest) } <= 1)
        #expect(hammer { $0.tryFilter { $0 % 2 == 0 }.tryScan(0, +) } <= 1)
        #expect(hammer { $0.collect(3) } <= 1)
        #expect(hammer { $0.throttle(for: 0, scheduler: ImmediateScheduler.shared, latest: true) } <= 1)
        #expect(hammer { $0.flatMap { Just($0) } } <= 1)
        #expect(hammer { $0.drop(untilOutputFrom: Just(1)).prefix { $0 >= 0 } } <= 1)
        #expect(hammer { $0.map { Just($0) }.switchToLatest().retry(1) } <= 1)
    }
}
