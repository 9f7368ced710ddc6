import CombineCore
import Locking

extension Battery {
    /// Calls from inside a delivery.
    public static let reentrancy: [BatteryPoint] = [
        BatteryPoint("accepts a value that is sent from inside a delivery") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let sent = Lock(1)
            let recorder = bench.record(
                subject,
                .init(onValue: { _, _ in
                    let next = sent.withLock { sent -> Int? in
                        guard sent < 4 else { return nil }
                        sent += 1
                        return sent
                    }
                    if let next { subject.send(next) }
                    return .none
                }))
            subject.send(1)
            for _ in 0..<4 { bench.settle() }
            if bench.expectations.keepsReentrantValues {
                bench.expect("the values", recorder.values, is: Array(bench.expectations.outputs.prefix(1)))
            } else if bench.expectations.keepsEveryValue {
                bench.expect("the number of values", recorder.values.count, is: 4)
            }
            if bench.expectations.keepsEveryValue, bench.row.pace == .zero, bench.expectations.outputs.count == 5 {
                bench.expect(
                    bench.expectations.outputs.starts(with: recorder.values),
                    "the values are out of order: \(recorder.values)")
            }
            subject.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("accepts a value that is sent from inside the subscription") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let recorder = bench.record(subject, .init(onSubscription: { _ in subject.send(1) }))
            bench.settle()
            bench.expect(recorder.values.count <= max(1, bench.expectations.outputs.count), "\(recorder.values)")
            subject.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("can end from inside the subscription") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let recorder = bench.record(
                subject, .init(onSubscription: { _ in subject.send(completion: .finished) }))
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("can be subscribed to from inside a delivery") { bench in
            let publisher = bench.operate(on: Bench.numbers)
            let inner = Bench.Recorder()
            let hasSubscribed = Lock(false)
            let outer = Bench.Recorder(
                .init(onValue: { _, _ in
                    let isFirst = hasSubscribed.withLock { has in
                        defer { has = true }
                        return !has
                    }
                    if isFirst { publisher.subscribe(inner) }
                    return .none
                }))
            publisher.subscribe(outer)
            for _ in 0..<2 { bench.settle() }
            bench.expect("the values", outer.values, is: bench.expectations.outputs)
            if !outer.values.isEmpty, !bench.expectations.isShared {
                bench.expect("the values of the inner", inner.values, is: bench.expectations.outputs)
            }
            bench.expectRules(outer)
            bench.expectRules(inner)
        },
        BatteryPoint("accepts a request from inside a request") { bench in
            let source = Bench.Source(onRequest: { attachment, _ in
                if attachment.requests.count == 1 { _ = attachment.offer(1) }
            })
            let recorder = bench.record(
                source,
                .init(
                    demand: .max(1),
                    onValue: { recorder, _ in
                        recorder.request(.max(1))
                        return .none
                    }))
            bench.settle()
            source.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
    ]
}
