import CombineCore
import CombineSchedulers
import Dispatch
import Foundation
import IssueReporting
import Locking
import Testing

@Suite struct UnimplementedSchedulerTests {
    private let reports = Lock<[String]>([])

    private func report() -> @Sendable (String) -> Void {
        { [reports] message in reports.withLock { $0.append(message) } }
    }

    @Test func `every use is reported and its action runs once`() {
        let scheduler = DispatchQueue.unimplemented("queue", report: report())
        var runs = 0
        let now = scheduler.now
        scheduler.schedule { runs += 1 }
        scheduler.schedule(after: now, tolerance: .zero) { runs += 1 }
        scheduler.schedule(after: now, interval: .seconds(1), tolerance: .zero) { runs += 1 }.cancel()
        _ = scheduler.minimumTolerance
        #expect(runs == 3)
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
        var values: [Int] = []
        let token = subject.receive(on: scheduler).sink { values.append($0) }
        #expect(reports.withLock { $0 }.isEmpty)
        subject.send(1)
        #expect(values == [1])
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

    @Test func `without a report, an issue is reported and the action runs`() {
        let issues = Lock<[String]>([])
        let schedulers: [AnySchedulerOf<DispatchQueue>] = [.unimplemented, .unimplemented("queue")]
        var runs = 0
        FoundIssue.$receiver.withValue({ issue in issues.withLock { $0.append(issue.message) } }) {
            for scheduler in schedulers { scheduler.schedule { runs += 1 } }
        }
        #expect(runs == 2)
        let sentence = "An unimplemented scheduler scheduled an action to run as soon as possible."
        #expect(issues.withLock { $0 } == ["DispatchQueue - \(sentence)", "queue - \(sentence)"])
    }
}
