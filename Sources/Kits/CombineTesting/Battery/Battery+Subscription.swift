import CombineCore

extension Battery {
    /// The start of a stream.
    public static let subscription: [BatteryPoint] = [
        BatteryPoint("sends one subscription before any other event") { bench in
            for upstream in [Bench.numbers.eraseToAnyPublisher(), Bench.numbersAndFailure.eraseToAnyPublisher()] {
                let recorder = bench.record(upstream)
                let subscriptions = recorder.events.indices.filter { index in
                    if case .subscription = recorder.events[index] { true } else { false }
                }
                bench.expect("the places of subscriptions", subscriptions, is: [0])
                bench.expectRules(recorder)
            }
        },
        BatteryPoint("subscribes to upstream once for each subscriber") { bench in
            let source = Bench.Source()
            _ = bench.record(source)
            bench.expect("the attachments", source.attachments.count, is: 1)
        },
        BatteryPoint("does nothing before the first subscription") { bench in
            let source = Bench.Source()
            let publisher = bench.operate(on: source)
            bench.settle()
            bench.expect("the attachments", source.attachments.count, is: 0)
            withExtendedLifetime(publisher) {}
        },
        BatteryPoint("cancels a second subscription and keeps the first") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            let second = Attachment<Int, TestError>(
                AnySubscriber(receiveSubscription: nil), .unruly, nil)
            source.latest?.subscriber?.receive(subscription: second)
            if bench.expectations.strictness == .transparent {
                bench.expect("the violations", recorder.violations, is: [.secondSubscription])
                return
            }
            bench.expect("the cancellations of the second", second.cancellations, is: 1)
            bench.expect("the requests of the second", second.requests, is: [])
            bench.expect("the cancellations of the first", source.latest?.cancellations, is: 0)
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectRules(recorder)
        },
        BatteryPoint("cancels a subscription that arrives after the cancellation") { bench in
            guard bench.expectations.strictness != .transparent else {
                return expectForwardedSubscription(bench)
            }
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            recorder.cancel()
            let late = Attachment<Int, TestError>(AnySubscriber(receiveSubscription: nil), .unruly, nil)
            source.latest?.subscriber?.receive(subscription: late)
            bench.expect("the cancellations", late.cancellations, is: 1)
            bench.expect("the requests", late.requests, is: [])
            bench.expect("the subscriptions downstream", recorder.subscriptionCount, is: 1)
        },
        BatteryPoint("survives a value before the subscription") { bench in
            let source = Bench.Source(.silent)
            let recorder = bench.record(source, .init(demand: .none))
            source.send(1)
            bench.settle()
            let permitted: Set<Violation> = [
                .valueBeforeSubscription, .valueWithoutDemand, .completionBeforeSubscription,
            ]
            bench.expectRules(recorder, allowing: permitted)
            bench.expect(recorder.values.count <= 1, "expected at most one value, got \(recorder.values)")
        },
        BatteryPoint("survives an end before the subscription") { bench in
            let source = Bench.Source(.silent)
            let recorder = bench.record(source)
            source.send(completion: .finished)
            bench.settle()
            bench.expect(
                recorder.completions.count <= 1, "expected at most one completion, got \(recorder.completions.count)")
            bench.expectRules(recorder, allowing: [.completionBeforeSubscription, .valueBeforeSubscription])
        },
        BatteryPoint("accepts a late subscription") { bench in
            let source = Bench.Source(.silent)
            let recorder = bench.record(source)
            source.latest?.sendSubscription()
            bench.settle()
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
    ]

    /// An operator without state forwards the subscription of its upstream.
    private static func expectForwardedSubscription(_ bench: Bench) {
        let source = Bench.Source()
        let recorder = bench.record(source)
        guard let attachment = source.latest, let held = recorder.subscription else {
            return bench.note("there is no subscription")
        }
        bench.expect(
            held.combineIdentifier == attachment.combineIdentifier,
            "expected downstream to receive the subscription of upstream, got \(held)")
    }
}

extension RecordingSubscriber {
    var subscriptionCount: Int {
        events.count { event in
            if case .subscription = event { true } else { false }
        }
    }
}
