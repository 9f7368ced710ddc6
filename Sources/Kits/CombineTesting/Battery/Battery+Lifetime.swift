import CombineCore

extension Battery {
    /// The lifetimes of subscribers, subscriptions and upstream publishers.
    public static let lifetime: [BatteryPoint] = [
        BatteryPoint("releases the subscriber on cancellation, even if its subscription is retained") { bench in
            let probe = LifetimeProbe()
            let source = Bench.Source(.orderly)
            var held: (any Subscription)?
            withProbedRecorder(probe, Bench.Recorder()) { recorder in
                bench.attach(recorder, to: source)
                source.send(1)
                held = recorder.subscription
                recorder.cancel()
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime((held, source)) {}
        },
        BatteryPoint("releases the subscriber on cancellation, even if a bad upstream retains the operator") { bench in
            guard bench.expectations.strictness == .strict else { return }
            let probe = LifetimeProbe()
            let source = Bench.Source(.unruly)
            withProbedRecorder(probe, Bench.Recorder()) { recorder in
                bench.attach(recorder, to: source)
                source.send(1)
                recorder.cancel()
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime(source) {}
        },
        BatteryPoint("releases the subscriber at the end, even if its subscription is retained") { bench in
            guard bench.expectations.strictness != .lenientAtTheEnd else { return }
            for completion in [Subscribers.Completion<TestError>.finished, .failure(TestError())] {
                let probe = LifetimeProbe()
                let source = Bench.Source(.orderly)
                var held: (any Subscription)?
                withProbedRecorder(probe, Bench.Recorder()) { recorder in
                    bench.attach(recorder, to: source)
                    held = recorder.subscription
                    bench.sendInput(source)
                    source.send(completion: completion)
                    bench.settle()
                }
                bench.settle()
                bench.expect("the objects that are alive after \(completion)", probe.alive, is: [])
                withExtendedLifetime((held, source)) {}
            }
        },
        BatteryPoint("releases its subscription to upstream on cancellation") { bench in
            guard bench.expectations.strictness != .transparent else { return }
            let probe = LifetimeProbe()
            let recorder = Bench.Recorder()
            var held: (any Subscription)?
            subscribeToProbedSource(bench, probe, recorder) { _ in
                held = recorder.subscription
                recorder.cancel()
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime(held) {}
        },
        BatteryPoint("releases its subscription to upstream at the end") { bench in
            guard bench.expectations.strictness != .transparent else { return }
            let probe = LifetimeProbe()
            let recorder = Bench.Recorder()
            var held: (any Subscription)?
            subscribeToProbedSource(bench, probe, recorder) { source in
                held = recorder.subscription
                bench.sendInput(source)
                source.send(completion: .finished)
                bench.settle()
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
            withExtendedLifetime(held) {}
        },
        BatteryPoint("retains its upstream while the stream is retained, and no longer") { bench in
            let probe = LifetimeProbe()
            let recorder = Bench.Recorder()
            let send = attachToProbedSubject(bench, probe, recorder)
            bench.expect("the objects that are alive while the stream runs", probe.alive, is: ["the subject"])
            for value in 1...5 { send(value) }
            bench.settle()
            if bench.expectations.keepsEveryValue {
                bench.expect("the number of values", recorder.values.count, is: 5)
            }
            recorder.cancel()
            bench.settle()
            bench.expect("the objects that are alive after the cancellation", probe.alive, is: [])
        },
        BatteryPoint("leaks nothing if there is never any demand") { bench in
            let probe = LifetimeProbe()
            withProbedRecorder(probe, Bench.Recorder(demand: .none)) { recorder in
                let source = probe.watch(Bench.Source(), as: "the source")
                bench.attach(recorder, to: source)
                recorder.cancel()
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
        },
        BatteryPoint("leaks nothing after a stream that runs inside its subscription") { bench in
            let probe = LifetimeProbe()
            withProbedRecorder(probe, Bench.Recorder()) { recorder in
                bench.attach(recorder, to: Bench.numbers)
            }
            bench.settle()
            bench.expect("the objects that are still alive", probe.alive, is: [])
        },
    ]

    /// Runs `body` with the only reference to a recorder, which `probe` watches.
    private static func withProbedRecorder(
        _ probe: LifetimeProbe, _ recorder: consuming Bench.Recorder, _ body: (Bench.Recorder) -> Void
    ) {
        body(probe.watch(recorder, as: "the subscriber"))
    }

    private static func subscribeToProbedSource(
        _ bench: Bench, _ probe: LifetimeProbe, _ recorder: Bench.Recorder, _ body: (Bench.Source) -> Void
    ) {
        let source = Bench.Source(.orderly)
        bench.attach(recorder, to: source)
        if let attachment = source.latest { probe.watch(attachment, as: "the subscription to upstream") }
        body(source)
    }

    /// Attaches `recorder` to a subject that only the stream retains. Returns a function that sends to the subject.
    private static func attachToProbedSubject(
        _ bench: Bench, _ probe: LifetimeProbe, _ recorder: Bench.Recorder
    ) -> (Int) -> Void {
        let subject = probe.watch(PassthroughSubject<Int, TestError>(), as: "the subject")
        bench.attach(recorder, to: subject)
        return { [weak subject] in subject?.send($0) }
    }
}
