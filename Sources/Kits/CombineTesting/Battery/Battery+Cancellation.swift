import CombineCore
import Locking

extension Battery {
    /// The effects of a cancellation.
    public static let cancellation: [BatteryPoint] = [
        BatteryPoint("delivers nothing after a cancellation before the first value") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source)
            recorder.cancel()
            bench.settle()
            bench.expect("the cancellations", source.latest?.cancellations, is: 1)
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the values", recorder.values, is: [])
            bench.expectRules(recorder)
        },
        BatteryPoint("drops the events that a bad upstream sends after the cancellation") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            recorder.cancel()
            for _ in 0..<2 { source.send(1) }
            source.send(completion: .failure(TestError()))
            bench.settle()
            switch bench.expectations.strictness {
            case .strict: bench.expectRules(recorder)
            case .lenientAtTheEnd, .transparent:
                let passed: Set<Violation> = [
                    .valueAfterCancellation, .completionAfterCancellation, .secondCompletion, .valueAfterCompletion,
                ]
                bench.expectRules(recorder, allowing: passed)
            }
        },
        BatteryPoint("can be cancelled from inside the subscription") { bench in
            let source = Bench.Source()
            let before = Lock(0)
            let recorder = bench.record(
                source,
                .init(
                    demand: .none,
                    onSubscription: { recorder in
                        before.withLock { $0 = source.latest?.requests.count ?? 0 }
                        recorder.cancel()
                    }))
            // An operator that starts with another publisher has not subscribed to this one yet.
            if let attachment = source.latest {
                bench.expect("the cancellations", attachment.cancellations, is: 1)
                // An operator without state does not notice the cancellation, and makes the request of its own.
                let isOwn = bench.expectations.strictness == .transparent && bench.expectations.demand == .own
                bench.expect(
                    "the number of requests", attachment.requests.count, is: before.withLock { $0 } + (isOwn ? 1 : 0))
            }
            let synchronous = bench.record(Bench.numbers, .init(demand: .none, onSubscription: { $0.cancel() }))
            bench.expect("the values", recorder.values + synchronous.values, is: [])
            bench.expectRules(recorder)
            bench.expectRules(synchronous)
        },
        BatteryPoint("stops immediately when cancelled from inside a delivery") { bench in
            let recorder = bench.record(
                Bench.numbers,
                .init(onValue: { recorder, _ in
                    recorder.cancel()
                    return .max(3)
                }))
            bench.expect("the number of values", recorder.values.count, is: min(1, bench.expectations.outputs.count))
            bench.expectRules(recorder)
        },
        BatteryPoint("cancels upstream when cancelled from inside a delivery") { bench in
            let source = Bench.Source()
            let recorder = bench.record(
                source,
                .init(onValue: { recorder, _ in
                    recorder.cancel()
                    return .none
                }))
            for value in 1...5 {
                source.send(value)
                bench.settle()
            }
            if !recorder.values.isEmpty {
                bench.expect("the cancellations", source.latest?.cancellations, is: 1)
            }
            source.send(completion: .finished)
            bench.settle()
            bench.expect(recorder.values.count <= 1, "values were delivered after the cancellation: \(recorder.values)")
            bench.expectRules(recorder)
        },
        BatteryPoint("cancels upstream once, however often it is cancelled") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source)
            let subscription = recorder.subscription
            for _ in 0..<3 { subscription?.cancel() }
            bench.settle()
            let isTransparent = bench.expectations.strictness == .transparent
            bench.expect("the cancellations", source.latest?.cancellations, is: isTransparent ? 3 : 1)
        },
        BatteryPoint("requests nothing after the cancellation") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            let subscription = recorder.subscription
            let before = source.latest?.requests
            recorder.cancel()
            guard bench.expectations.strictness != .transparent else { return }
            subscription?.request(.max(4))
            subscription?.request(.unlimited)
            bench.settle()
            bench.expect("the requests", source.latest?.requests, is: before)
            bench.expectRules(recorder)
        },
        BatteryPoint("does not cancel an upstream that has ended") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source)
            let subscription = recorder.subscription
            source.send(completion: .finished)
            bench.settle()
            let before = recorder.events.count
            guard bench.expectations.strictness != .transparent else { return }
            subscription?.cancel()
            subscription?.request(.max(1))
            bench.settle()
            bench.expect("the cancellations", source.latest?.cancellations, is: 0)
            bench.expect("the number of events", recorder.events.count, is: before)
        },
        BatteryPoint("can be cancelled from inside the completion") { bench in
            let source = Bench.Source()
            let held = Lock<(any Subscription)?>(nil)
            let recorder = bench.record(
                source, .init(onCompletion: { _ in held.withLock { $0 }?.cancel() }))
            held.withLock { $0 = recorder.subscription }
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            held.withLock { $0 = nil }
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("is cancelled when the token of a sink is released") { bench in
            let source = Bench.Source()
            var token: AnyCancellable? = bench.operate(on: source).sink(
                receiveCompletion: { _ in }, receiveValue: { _ in })
            bench.settle()
            bench.expect("the cancellations before", source.latest?.cancellations, is: 0)
            withExtendedLifetime(token) {}
            token = nil
            bench.settle()
            bench.expect("the cancellations after", source.latest?.cancellations, is: 1)
        },
    ]
}
