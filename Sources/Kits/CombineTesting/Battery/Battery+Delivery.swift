import CombineCore

extension Battery {
    /// The delivered values.
    public static let delivery: [BatteryPoint] = [
        BatteryPoint("delivers the expected values when upstream finishes") { bench in
            let recorder = bench.record(Bench.numbers)
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers the expected values when upstream fails") { bench in
            let recorder = bench.record(Bench.numbersAndFailure)
            bench.expect(
                "the values", recorder.values,
                is: bench.expectations.outputsBeforeFailure ?? bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.endingOfFailure)
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers the same when values are pushed") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source)
            bench.sendInput(source)
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
        BatteryPoint("ends as expected when upstream finishes without a value") { bench in
            let recorder = bench.record(Empty<Int, TestError>())
            bench.expect("the values", recorder.values, is: bench.expectations.outputsOfNothing)
            bench.expectEnding(recorder, is: bench.expectations.endingOfNothing)
            bench.expectRules(recorder)
        },
        BatteryPoint("ends as expected when upstream fails without a value") { bench in
            let recorder = bench.record(Fail<Int, TestError>(error: TestError()))
            bench.expect("the values", recorder.values, is: bench.expectations.outputsOfFailureAtOnce)
            bench.expectEnding(recorder, is: bench.expectations.endingOfFailureAtOnce)
            bench.expectRules(recorder)
        },
        BatteryPoint("serves each of two subscribers in full") { bench in
            let source = Bench.Source()
            let publisher = bench.operate(on: source)
            let first = Bench.Recorder()
            let second = Bench.Recorder()
            publisher.subscribe(first)
            publisher.subscribe(second)
            bench.settle()
            for attachment in source.attachments {
                for value in 1...5 { attachment.send(value) }
                attachment.send(completion: .finished)
            }
            bench.settle()
            bench.expect("the attachments", source.attachments.count, is: bench.expectations.isShared ? 1 : 2)
            bench.expect("the values of the first", first.values, is: bench.expectations.outputs)
            bench.expect("the values of the second", second.values, is: bench.expectations.outputs)
            bench.expectRules(first)
            bench.expectRules(second)
        },
        BatteryPoint("can be subscribed to again after the end") { bench in
            let publisher = bench.operate(on: Bench.numbers)
            publisher.subscribe(Bench.Recorder())
            bench.settle()
            let again = Bench.Recorder()
            publisher.subscribe(again)
            bench.settle()
            let outputs = bench.expectations.isShared ? [] : bench.expectations.outputs
            bench.expect("the values", again.values, is: outputs)
            bench.expectEnding(again, is: bench.expectations.ending)
            bench.expectRules(again)
        },
    ]
}
