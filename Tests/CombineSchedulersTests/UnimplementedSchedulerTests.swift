import CombineCore
import CombineSchedulers
import Dispatch
import Foundation
import Locking
import Testing

@Suite struct UnimplementedSchedulerTests {
    private let reports = Lock<[String]>([])

    private func report() -> @Sendable (String) -> Void {
        { [reports] message in reports.withLock { $0.append(message) } }
    }

    @Test func `every use is reported and no action runs`() {
        let scheduler = DispatchQueue.unimplemented("queue", report: report())
        var ran = false
        let now = scheduler.now
        scheduler.schedule { ran = true }
        scheduler.schedule(after: now, tolerance: .zero) { ran = true }
        scheduler.schedule(after: now, interval: .seconds(1), tolerance: .zero) { ran = true }.cancel()
        _ = scheduler.minimumTolerance
        #expect(!ran)
        #expect(
            reports.withLock { $0 } == [
                "queue - An unimplemented scheduler was used to read the current time.",
                "queue - An unimplemented scheduler scheduled an action to run as soon as possible.",
                "queue - An unimplemented scheduler scheduled an action to run later.",
                "queue - An unimplemented scheduler scheduled an action to run on a timer.",
                "queue - An unimplemented scheduler was used to read its minimum tolerance.",
            ])
    }

    @Test func `a stream that does not use it is not reported`() {
        let scheduler: AnySchedulerOf<RunLoop> = .unimplemented("run loop", report: report())
        let subject = PassthroughSubject<Int, Never>()
        let token = subject.receive(on: scheduler).sink { _ in }
        #expect(reports.withLock { $0 }.isEmpty)
        subject.send(1)
        #expect(
            reports.withLock { $0 } == [
                "run loop - An unimplemented scheduler scheduled an action to run as soon as possible."
            ])
        token.cancel()
    }

    @Test func `without a prefix the message is the sentence`() {
        let scheduler = FailingSchedulerOf<OperationQueue>(now: OperationQueue.test.now, report: report())
        scheduler.schedule {}
        #expect(
            reports.withLock { $0 } == ["An unimplemented scheduler scheduled an action to run as soon as possible."])
    }

    @Test func `without a report the process traps`() async {
        await #expect(processExitsWith: .failure) {
            DispatchQueue.unimplemented.schedule {}
        }
    }
}
