import CombineCore
import Locking

extension Battery {
    /// The end of a stream.
    public static let completion: [BatteryPoint] = [
        BatteryPoint("ends once though a bad upstream ends twice") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            bench.sendInput(source)
            for _ in 0..<2 { source.send(completion: .finished) }
            bench.settle()
            expectSilence(bench, recorder, passing: .secondCompletion)
        },
        BatteryPoint("does not fail after it has finished") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            source.send(completion: .finished)
            bench.settle()
            source.send(completion: .failure(TestError()))
            bench.settle()
            expectSilence(bench, recorder, passing: .secondCompletion)
            bench.expectEnding(recorder, is: bench.expectations.endingOfNothing)
        },
        BatteryPoint("does not finish after it has failed") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            source.send(completion: .failure(TestError()))
            bench.settle()
            source.send(completion: .finished)
            bench.settle()
            expectSilence(bench, recorder, passing: .secondCompletion)
            bench.expectEnding(recorder, is: bench.expectations.endingOfFailureAtOnce)
        },
        BatteryPoint("drops values after the end") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            for value in [7, 8, 9] { source.send(value) }
            bench.settle()
            expectSilence(bench, recorder, passing: .valueAfterCompletion)
        },
        BatteryPoint("cancels upstream if it ends early, and only then") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source)
            bench.sendInput(source)
            bench.settle()
            if bench.expectations.finishesEarly {
                bench.expect("the cancellations", source.latest?.cancellations, is: 1)
                bench.expectEnding(recorder, is: bench.expectations.ending)
            } else {
                bench.expect("the cancellations", source.latest?.cancellations, is: 0)
                bench.expectEnding(recorder, is: nil)
            }
            source.send(completion: .finished)
            bench.settle()
            if bench.row.pace == .zero {
                bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            }
            bench.expectRules(recorder)
        },
        BatteryPoint("ends once when upstream ends inside a delivery") { bench in
            let source = Bench.Source()
            let recorder = bench.record(
                source,
                .init(onValue: { _, _ in
                    source.send(completion: .finished)
                    return .none
                }))
            for value in 1...5 {
                source.send(value)
                bench.settle()
            }
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("can end during a request") { bench in
            let source = Bench.Source(onRequest: { attachment, _ in attachment.send(completion: .finished) })
            let recorder = bench.record(source)
            recorder.request(.max(1))
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputsOfNothing)
            bench.expectEnding(recorder, is: bench.expectations.endingOfNothing)
            bench.expectRules(recorder)
        },
        BatteryPoint("can receive values and the completion during a request") { bench in
            let hasSent = Lock(false)
            let source = Bench.Source(onRequest: { attachment, _ in
                guard hasSent.withLock({ $0.swap(true) }) == false else { return }
                for value in 1...5 { attachment.send(value) }
                attachment.send(completion: .finished)
            })
            let recorder = bench.record(source)
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers one completion if two threads send one each") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let recorder = bench.record(subject)
            let sender = SubjectSender(subject)
            let work = BackgroundWork { sender.send(completion: .finished) }
            sender.send(completion: .failure(TestError()))
            bench.expect(work.wait(), "the other thread does not finish")
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
    ]

    /// Expects no event after the end. For an operator that does not guard against it, expects that the violation was
    /// forwarded.
    private static func expectSilence(_ bench: Bench, _ recorder: Bench.Recorder, passing violation: Violation) {
        switch bench.expectations.strictness {
        case .strict: bench.expectRules(recorder)
        case .transparent, .lenientAtTheEnd:
            bench.expectRules(recorder, allowing: [violation])
        }
    }
}

extension Bool {
    /// Sets the value and returns the previous one.
    fileprivate mutating func swap(_ new: Bool) -> Bool {
        let former = self
        self = new
        return former
    }
}
