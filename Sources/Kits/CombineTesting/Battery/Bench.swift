import CombineCore
import CombineSchedulers
import Foundation

/// The environment of one check of one operator: builds the stream, advances the clock, and collects findings.
final class Bench {
    typealias Source = ScriptedPublisher<Int, TestError>
    typealias Recorder = RecordingSubscriber<String, any Error>

    let row: OperatorCase
    let scheduler = DispatchQueue.test
    private(set) var findings: [String] = []

    init(_ row: OperatorCase) {
        self.row = row
    }

    var expectations: OperatorExpectations { row.expectations }

    /// Applies the operator.
    func operate(on upstream: some Publisher<Int, TestError>) -> AnyPublisher<String, any Error> {
        row.make(upstream.eraseToAnyPublisher(), scheduler)
    }

    /// Applies the operator, attaches `recorder`, and runs scheduled work.
    func attach(_ recorder: Recorder, to upstream: some Publisher<Int, TestError>) {
        operate(on: upstream).subscribe(recorder)
        settle()
    }

    /// Applies the operator and attaches a subscriber with `script`.
    func record(_ upstream: some Publisher<Int, TestError>, _ script: Recorder.Script = .init()) -> Recorder {
        let recorder = Recorder(script)
        attach(recorder, to: upstream)
        return recorder
    }

    /// Runs the work that is due after a step. Repeated, because one action can schedule another.
    func settle() {
        for _ in 0..<4 { scheduler.advance(by: row.pace) }
    }

    /// Sends the standard input at a single time.
    func sendInput(_ source: Source) {
        for value in 1...5 { source.send(value) }
    }

    func note(_ sentence: String) {
        findings.append(sentence)
    }

    func expect(_ claim: Bool, _ sentence: @autoclosure () -> String) {
        if !claim { note(sentence()) }
    }

    func expect<T: Equatable>(_ what: String, _ actual: T, is expected: T) {
        if actual != expected { note("\(what): expected \(expected), got \(actual)") }
    }

    /// Expects that `recorder` observed no violations other than `allowed`.
    func expectRules(_ recorder: Recorder, allowing allowed: Set<Violation> = []) {
        let allowed = expectations.exceedsDemand ? allowed.union([.valueWithoutDemand]) : allowed
        let violations = recorder.violations.filter { !allowed.contains($0) }
        expect("the violations", violations, is: [])
    }

    func expectEnding(_ recorder: Recorder, is ending: OperatorExpectations.Ending?) {
        expect("the ending", recorder.ending?.rawValue ?? "none", is: ending?.rawValue ?? "none")
    }

    /// The numbers 1 to 5, delivered on demand.
    static var numbers: some Publisher<Int, TestError> {
        Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...5)
    }

    /// The numbers 1 to 5 and then a failure.
    static var numbersAndFailure: some Publisher<Int, TestError> {
        numbers.append(Fail(error: TestError(7)))
    }
}

extension RecordingSubscriber {
    /// The way the stream ended, or nil if it has not.
    var ending: OperatorExpectations.Ending? {
        switch completion {
        case .finished: .finished
        case .failure: .failed
        case nil: nil
        }
    }
}

/// Runs `body` on another thread and waits for it with a timeout.
///
/// - Returns: Whether it returned before the timeout.
func runOnAnotherThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    return BackgroundWork(body).wait()
}

/// Work on a thread of its own: a shared one could be busy with other tests for minutes.
final class BackgroundWork: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [done] in
            body()
            done.signal()
        }
    }

    /// Waits until the work is done.
    ///
    /// - Returns: Whether it was done before a timeout that correct code never reaches.
    func wait() -> Bool {
        done.wait(timeout: .now() + .seconds(300)) == .success
    }
}
