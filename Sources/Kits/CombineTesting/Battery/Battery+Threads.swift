import CombineCore
import Locking

extension Battery {
    /// Concurrent calls from several threads.
    public static let threads: [BatteryPoint] = [
        BatteryPoint("serializes the values of two threads and loses none") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let recorder = bench.record(subject)
            let sender = SubjectSender(subject)
            let work = BackgroundWork { for value in 0..<100 { sender.send(value) } }
            for value in 0..<100 { sender.send(value) }
            bench.expect(work.wait(), "the other thread does not finish")
            bench.settle()
            if bench.expectations.keepsEveryValue {
                bench.expect("the number of values", recorder.values.count, is: 200)
            }
            sender.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("does not make a cancellation on another thread wait for a delivery") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let isDone = Lock(false)
            let recorder = bench.record(
                subject,
                .init(onValue: { recorder, _ in
                    let hasReturned = runOnAnotherThread { recorder.cancel() }
                    isDone.withLock { $0 = hasReturned }
                    return .none
                }))
            for value in 1...5 {
                subject.send(value)
                bench.settle()
            }
            let count = recorder.values.count
            bench.expect(count == 0 || isDone.withLock { $0 }, "the cancellation waited for the delivery")
            bench.expect(count <= 1, "values were delivered after the cancellation: \(recorder.values)")
            bench.expectRules(recorder)
        },
        BatteryPoint("does not make a request on another thread wait for a delivery") { bench in
            guard !bench.expectations.requestsMayWait else { return }
            let isDone = Lock(true)
            let recorder = bench.record(
                Bench.numbers,
                .init(
                    demand: .max(1),
                    onValue: { recorder, _ in
                        let hasReturned = runOnAnotherThread { recorder.request(.max(1)) }
                        isDone.withLock { $0 = $0 && hasReturned }
                        return .none
                    }))
            bench.settle()
            bench.expect(isDone.withLock { $0 }, "a request waited for a delivery")
            if !bench.expectations.dropsWithoutDemand {
                bench.expect("the values", recorder.values, is: bench.expectations.outputs)
            }
            bench.expectRules(recorder)
        },
        BatteryPoint("delivers the end from another thread after the delivery in progress") { bench in
            let subject = PassthroughSubject<Int, TestError>()
            let sender = SubjectSender(subject)
            let work = Lock<BackgroundWork?>(nil)
            let recorder = bench.record(
                subject,
                .init(onValue: { _, _ in
                    work.withLock { $0 = $0 ?? BackgroundWork { sender.send(completion: .finished) } }
                    return .none
                }))
            for value in 1...5 {
                subject.send(value)
                bench.settle()
            }
            let ended = work.withLock { $0 }
            bench.expect(ended?.wait() ?? true, "the thread that sends the end does not finish")
            subject.send(completion: .finished)
            bench.settle()
            bench.expect("the number of completions", recorder.completions.count, is: 1)
            bench.expectRules(recorder)
        },
        BatteryPoint("survives values, requests and a cancellation at the same time") { bench in
            for _ in 0..<5 { sendRequestAndCancelAtOnce(bench) }
        },
    ]

    private static func sendRequestAndCancelAtOnce(_ bench: Bench) {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = bench.record(subject, .init(demand: .max(1)))
        let sender = SubjectSender(subject)
        let sending = BackgroundWork { for value in 0..<20 { sender.send(value) } }
        let requesting = BackgroundWork { for _ in 0..<20 { recorder.request(.max(1)) } }
        bench.settle()
        recorder.cancel()
        bench.expect(sending.wait(), "the sending thread does not finish")
        bench.expect(requesting.wait(), "the requesting thread does not finish")
        bench.settle()
        // A delivery in progress continues while another thread cancels.
        bench.expectRules(recorder, allowing: [.valueAfterCancellation, .completionAfterCancellation])
        let count = recorder.values.count
        subject.send(1)
        bench.settle()
        bench.expect("the number of values after the cancellation", recorder.values.count, is: count)
    }
}
