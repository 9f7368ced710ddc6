import CombineCore

extension Battery {
    /// The requested and the delivered number of values.
    public static let demand: [BatteryPoint] = [
        BatteryPoint("requests from upstream as its kind of operator does, and nothing else") { bench in
            let source = Bench.Source(.unruly)
            _ = bench.record(source, .init(demand: .none))
            guard let requests = source.latest?.requests else { return bench.note("upstream has no subscriber") }
            switch bench.expectations.demand {
            case .passedOn: bench.expect("the requests", requests, is: [])
            case .more(let count): bench.expect("the requests", requests, is: [.max(count)])
            case .unlimited: bench.expect("the requests", requests, is: [.unlimited])
            case .own: bench.expect(requests.count <= 1, "upstream received \(requests.count) requests: \(requests)")
            }
        },
        BatteryPoint("adds requests up") { bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source, .init(demand: .max(2)))
            recorder.request(.max(3))
            bench.settle()
            let requests = source.latest?.requests ?? []
            switch bench.expectations.demand {
            case .passedOn: bench.expect("the sum of the requests", requests.reduce(.none, +), is: .max(5))
            case .more(let count):
                bench.expect("the sum of the requests", requests.reduce(.none, +), is: .max(5 + count))
            case .unlimited: bench.expect("the requests", requests, is: [.unlimited])
            case .own: bench.expect(!requests.contains(.none), "upstream received a request for no values: \(requests)")
            }
            bench.expectRules(recorder)
        },
        BatteryPoint("adds the demand that the subscriber returns to the demand that it requested") { bench in
            let recorder = bench.record(
                Bench.numbers,
                .init(
                    demand: .max(1),
                    onValue: { _, _ in
                        bench.settle(); return .max(1)
                    }))
            bench.settle()
            bench.expect("the number of values", recorder.values.count, is: bench.expectations.outputs.count)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers nothing without demand") { bench in
            let recorder = bench.record(Bench.numbers, .init(demand: .none))
            bench.expect(
                "the values", recorder.values, is: bench.expectations.exceedsDemand ? bench.expectations.outputs : [])
            bench.expectRules(recorder)
        },
        BatteryPoint("drops, buffers or forwards values that a bad upstream sends beyond the demand") {
            bench in
            let source = Bench.Source(.unruly)
            let recorder = bench.record(source, .init(demand: .none))
            source.send(1)
            bench.settle()
            bench.expectRules(recorder, allowing: bench.expectations.demand == .passedOn ? [.valueWithoutDemand] : [])
        },
        BatteryPoint("delivers values one at a time when they are requested one at a time") { bench in
            let recorder = bench.record(Bench.numbers, .init(demand: .none))
            let outputs = bench.expectations.outputs
            for asked in 0..<max(1, outputs.count) {
                let isKept = recorder.values.count <= asked || bench.expectations.exceedsDemand
                bench.expect(isKept, "\(recorder.values.count) values for \(asked) requests")
                recorder.request(.max(1))
                bench.settle()
            }
            if !bench.expectations.dropsWithoutDemand {
                bench.expect("the values", recorder.values, is: bench.expectations.outputsOneByOne ?? outputs)
            }
            if recorder.completion == nil {
                recorder.request(.max(1))
                bench.settle()
            }
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
        BatteryPoint("keeps an unlimited demand unlimited") { bench in
            let recorder = bench.record(
                Bench.numbers, .init(onSubscription: { $0.request(.max(1)) }, onValue: { _, _ in .max(2) }))
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectRules(recorder)
        },
        BatteryPoint("treats a returned unlimited demand as unlimited") { bench in
            let recorder = bench.record(
                Bench.numbers, .init(demand: .max(1), onValue: { _, _ in .unlimited }))
            if !bench.expectations.dropsWithoutDemand {
                bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            }
            bench.expectRules(recorder)
        },
        BatteryPoint("survives a long series of requests from inside a delivery") { bench in
            let many = Publishers.Sequence<Range<Int>, TestError>(sequence: 0..<1_000)
            let expected = bench.record(many).values
            let recorder = Bench(bench.row).record(
                many,
                .init(
                    demand: .max(1),
                    onValue: { recorder, _ in
                        recorder.request(.max(1))
                        return .none
                    }))
            bench.settle()
            if bench.row.pace == .zero, !bench.expectations.dropsWithoutDemand {
                bench.expect("the number of values", recorder.values.count, is: expected.count)
            }
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers the end without demand") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            source.send(completion: .finished)
            bench.settle()
            let waits = bench.expectations.finishWaitsForDemand || !bench.expectations.outputsOfNothing.isEmpty
            bench.expectEnding(recorder, is: waits ? nil : bench.expectations.endingOfNothing)
            recorder.request(.unlimited)
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputsOfNothing)
            bench.expectEnding(recorder, is: bench.expectations.endingOfNothing)
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers a failure without demand") { bench in
            let source = Bench.Source()
            let recorder = bench.record(source, .init(demand: .none))
            source.send(completion: .failure(TestError(3)))
            bench.settle()
            let waits = !bench.expectations.outputsOfFailureAtOnce.isEmpty
            bench.expectEnding(recorder, is: waits ? nil : bench.expectations.endingOfFailureAtOnce)
            recorder.request(.unlimited)
            bench.settle()
            bench.expect("the values", recorder.values, is: bench.expectations.outputsOfFailureAtOnce)
            bench.expectEnding(recorder, is: bench.expectations.endingOfFailureAtOnce)
            bench.expectRules(recorder)
        },
        BatteryPoint("accepts a request from inside the subscription") { bench in
            let recorder = bench.record(Bench.numbers, .init(demand: .none, onSubscription: { $0.request(.unlimited) }))
            bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            bench.expectEnding(recorder, is: bench.expectations.ending)
            bench.expectRules(recorder)
        },
    ]
}
