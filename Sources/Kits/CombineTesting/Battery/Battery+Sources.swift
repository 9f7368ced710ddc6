import CombineCore
import Locking

extension Battery {
    /// The requirements for sources.
    public static let sources: [SourcePoint] = sourceDemand + sourceCancellation + sourceLifetime

    private static let sourceDemand: [SourcePoint] = [
        SourcePoint("delivers its values and ends") { bench in
            bench.expectEverything(bench.record())
        },
        SourcePoint("sends one subscription before any other event") { bench in
            let recorder = bench.record()
            bench.expect("the subscriptions", recorder.subscriptionCount, is: 1)
            let first = recorder.events.first?.description.hasPrefix("subscription(")
            bench.expect("whether the subscription is first", first, is: true)
        },
        SourcePoint("delivers nothing without demand") { bench in
            let recorder = bench.record(.init(demand: .none))
            bench.expect("the values", recorder.values, is: [])
            bench.expect("the violations", recorder.violations, is: [])
        },
        SourcePoint("ends without demand if it has no values, and only then") { bench in
            let recorder = bench.record(.init(demand: .none))
            let ending = bench.row.outputs.isEmpty ? bench.row.ending : nil
            bench.expect("the ending", recorder.ending?.rawValue, is: ending?.rawValue)
        },
        SourcePoint("delivers values one at a time when they are requested one at a time") { bench in
            let recorder = bench.record(.init(demand: .none))
            for count in 0..<bench.row.outputs.count {
                bench.expect("the number of values", recorder.values.count, is: count)
                recorder.request(.max(1))
            }
            bench.expect("the values", recorder.values, is: bench.row.outputs)
            if recorder.completion == nil, bench.row.ending != nil { recorder.request(.max(1)) }
            bench.expectEverything(recorder)
        },
        SourcePoint("adds the demand that the subscriber returns to the demand that it requested") { bench in
            bench.expectEverything(bench.record(.init(demand: .max(1), onValue: { _, _ in .max(1) })))
        },
        SourcePoint("accepts requests from inside a delivery") { bench in
            bench.expectEverything(
                bench.record(
                    .init(
                        demand: .max(1),
                        onValue: { recorder, _ in
                            recorder.request(.max(1))
                            return .none
                        })))
        },
        SourcePoint("accepts more requests after unlimited demand") { bench in
            let recorder = bench.record(.init(onValue: { _, _ in .unlimited }))
            recorder.request(.unlimited)
            bench.expectEverything(recorder)
        },
        SourcePoint("serves each of two subscribers in full") { bench in
            let publisher = bench.row.make()
            for _ in 0..<2 {
                let recorder = SourceBench.Recorder()
                publisher.subscribe(recorder)
                bench.expectEverything(recorder)
                if !bench.row.repeatsItself { return }
            }
        },
        SourcePoint("does not make a request on another thread wait for a delivery") { bench in
            let hasReturned = Lock(true)
            let recorder = bench.record(
                .init(
                    demand: .max(1),
                    onValue: { recorder, _ in
                        let isDone = runOnAnotherThread { recorder.request(.max(1)) }
                        hasReturned.withLock { $0 = $0 && isDone }
                        return .none
                    }))
            bench.expect("whether the requests returned", hasReturned.withLock { $0 }, is: true)
            bench.expectEverything(recorder)
        },
    ]

    private static let sourceCancellation: [SourcePoint] = [
        SourcePoint("can be cancelled from inside the subscription") { bench in
            let recorder = bench.record(.init(demand: .none, onSubscription: { $0.cancel() }))
            bench.expect("the values", recorder.values, is: [])
            // A source without values has completed before its subscriber can cancel.
            let permitted: [Violation] = bench.row.outputs.isEmpty ? [.completionAfterCancellation] : []
            bench.expect("the violations", recorder.violations.filter { !permitted.contains($0) }, is: [])
        },
        SourcePoint("stops immediately when cancelled from inside a delivery") { bench in
            let recorder = bench.record(
                .init(onValue: { recorder, _ in
                    recorder.cancel()
                    return .max(1)
                }))
            bench.expect("the number of values", recorder.values.count, is: min(1, bench.row.outputs.count))
            bench.expect("the violations", recorder.violations, is: [])
        },
        SourcePoint("delivers nothing after the cancellation, regardless of requests") { bench in
            let recorder = bench.record(.init(demand: .none))
            let subscription = recorder.subscription
            recorder.cancel()
            subscription?.request(.max(1))
            subscription?.cancel()
            subscription?.request(.unlimited)
            bench.expect("the values", recorder.values, is: [])
            bench.expect("the violations", recorder.violations, is: [])
        },
        SourcePoint("does nothing after the end, regardless of requests") { bench in
            let held = Lock<(any Subscription)?>(nil)
            let recorder = bench.record(
                .init(onSubscription: { recorder in held.withLock { $0 = recorder.subscription } }))
            held.withLock { $0 }?.request(.max(3))
            held.withLock { $0 }?.cancel()
            held.withLock { $0 }?.request(.max(3))
            held.withLock { $0 = nil }
            bench.expectEverything(recorder)
        },
        SourcePoint("does not make a cancellation on another thread wait for a delivery") { bench in
            let hasReturned = Lock(true)
            let recorder = bench.record(
                .init(onValue: { recorder, _ in
                    let isDone = runOnAnotherThread { recorder.cancel() }
                    hasReturned.withLock { $0 = $0 && isDone }
                    return .none
                }))
            bench.expect("whether the cancellation returned", hasReturned.withLock { $0 }, is: true)
            bench.expect("the number of values", recorder.values.count, is: min(1, bench.row.outputs.count))
            bench.expect("the violations", recorder.violations, is: [])
        },
    ]

    private static let sourceLifetime: [SourcePoint] = [
        SourcePoint("releases the subscriber on cancellation, even if the source and its subscription are retained") {
            bench in
            let probe = LifetimeProbe()
            let publisher = bench.row.make()
            var held: (any Subscription)?
            do {
                let recorder = probe.watch(SourceBench.Recorder(demand: .none), as: "the subscriber")
                publisher.subscribe(recorder)
                held = recorder.subscription
                recorder.cancel()
            }
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime((publisher, held)) {}
        },
        SourcePoint("releases the subscriber at the end, even if the source and its subscription are retained") {
            bench in
            guard bench.row.ending != nil else { return }
            let probe = LifetimeProbe()
            let publisher = bench.row.make()
            var held: (any Subscription)?
            do {
                let recorder = probe.watch(SourceBench.Recorder(demand: .none), as: "the subscriber")
                publisher.subscribe(recorder)
                held = recorder.subscription
                recorder.request(.unlimited)
            }
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime((publisher, held)) {}
        },
        SourcePoint("has a subscription with the expected description and mirror") { bench in
            let recorder = bench.record(.init(demand: .none))
            let expected = bench.row.subscriptionDescription
            bench.expect("the description", recorder.events.first?.description, is: "subscription(\(expected))")
            guard let subscription = recorder.subscription else { return }
            let shown = (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
            bench.expect("the playground description", "\(shown ?? "none")", is: expected)
            let labels = (subscription as? any CustomReflectable)?.customMirror.children.map(\.label)
            bench.expect("the labels of the mirror", labels, is: bench.row.mirror)
        },
    ]
}
