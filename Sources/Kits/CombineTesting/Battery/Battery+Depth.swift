import CombineCore
import Locking

extension Battery {
    /// The stack usage of re-entrant deliveries.
    public static let depth: [BatteryPoint] = [
        BatteryPoint("does not let the stack grow with values that are sent from inside deliveries") { bench in
            guard bench.row.pace == .zero else { return }
            let (steps, gauge) = (10_000, StackGauge())
            let subject = PassthroughSubject<Int, TestError>()
            let sent = Lock(1)
            let received = Lock(0)
            let recorder = Bench.Recorder(
                .init(onValue: { _, _ in
                    gauge.read()
                    received.withLock { $0 += 1 }
                    let next = sent.withLock { sent -> Int? in
                        guard sent < steps else { return nil }
                        sent += 1
                        return sent
                    }
                    if let next { subject.send(next) }
                    return .none
                }))
            bench.attach(recorder, to: subject)
            subject.send(1)
            bench.expect(gauge.growth < stackLimit, "the stack grew by \(gauge.growth) bytes")
            let isOver = recorder.completion != nil
            if bench.expectations.keepsEveryValue, !bench.expectations.keepsReentrantValues, !isOver {
                bench.expect("the number of values", received.withLock { $0 }, is: steps)
            }
            subject.send(completion: .finished)
            bench.expect("the number of completions", recorder.completions.count, is: 1)
        }
    ]

    /// The number of bytes of stack that nested deliveries may use. Far less than 10,000 recursive deliveries would need.
    public static let stackLimit: UInt = 1 << 20
}
