import IssueReporting
import Locking

/// A clock that is advanced manually, for tests of code that sleeps in tasks.
///
/// A task that sleeps on it continues when the clock is advanced to the end of its sleep. The tasks continue in the order of these
/// times and, at the same time, in the order in which they began to sleep. While one continues, the clock shows its time.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the beginning of the clock.
        public var offset: Duration

        /// Creates a time; the beginning of the clock by default.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// Returns a later time.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time from this instant to another one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns whether a time is earlier than another.
        public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State {
        var now: Instant
        var agenda = Agenda<Instant>()
        var executors = TestExecutors()
        var waiting: [(count: Int, resume: OneTimeResume)] = []

        /// Adds the sleep of a task. Returns what waits for the number of tasks that sleep now.
        mutating func add(at deadline: Instant, number: UInt, _ wake: @escaping () -> Void) -> [OneTimeResume] {
            agenda.add(at: deadline, number: number, wake)
            executors.noteCurrent()
            let met = waiting.filter { $0.count <= agenda.count }
            waiting.removeAll { $0.count <= agenda.count }
            return met.map(\.resume)
        }
    }

    private let state: Lock<State>

    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Creates a clock that shows a time; its beginning by default.
    public init(now: Instant = Instant()) {
        state = Lock(State(now: now))
    }

    /// The time that the clock shows.
    public var now: Instant { state.withLock { $0.now } }

    /// Suspends the calling task until the clock is advanced to a time; also if it shows the time already. Returns immediately if the time
    /// has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let sleep = Sleep()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (sleeper: CheckedContinuation<Void, any Error>) in
                guard sleep.begin(sleeper) else { return }
                let added: (number: UInt, waiting: [OneTimeResume])? = state.withLock { state in
                    guard deadline >= state.now else { return nil }
                    let number = state.agenda.nextNumber()
                    return (number, state.add(at: deadline, number: number) { sleep.wake() })
                }
                guard let (number, waiting) = added else { return sleep.wake() }
                sleep.keep(Removal { [weak self] in self?.remove(number) })
                for each in waiting { each.resume() }
            }
        } onCancel: {
            sleep.cancel()
        }
    }

    private func remove(_ number: UInt) {
        let removed = state.withLock { $0.agenda.remove(number) }
        withExtendedLifetime(removed) {}
    }

    /// Waits until a number of tasks sleep on the clock. Call it before the first advance, because a task that has just been created
    /// may begin to run later.
    public func waitForSleep(of count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let resume = OneTimeResume(continuation)
            let isMet = state.withLock { state in
                if state.agenda.count < count { state.waiting.append((count, resume)) }
                return state.agenda.count >= count
            }
            if isMet { resume.resume() }
        }
    }

    private func runReadyTasks(after work: () -> Void = {}) async {
        await ReadyTasks.run(on: state.withLock { $0.executors.all }, work)
    }

    /// Throws an error if a task sleeps on the clock.
    public func checkSuspension() async throws {
        await runReadyTasks()
        guard state.withLock({ $0.agenda.nextDate == nil }) else { throw SuspensionError() }
    }

    /// Advances the clock by a duration. Tasks whose sleep ends within it continue, and so do those that begin to sleep meanwhile.
    public func advance(by duration: Duration = .zero) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Advances the clock to a time. Tasks whose sleep ends until then continue.
    public func advance(to deadline: Instant) async {
        await runReadyTasks()
        while let next = state.withLock({ $0.agenda.nextDate }), next <= deadline {
            await runReadyTasks { runNext(until: deadline) }
        }
        state.withLock { $0.now = max($0.now, deadline) }
        await runReadyTasks()
    }

    /// Advances the clock until no task sleeps on it. Reports an issue if tasks still begin to sleep after a timeout, as those of a
    /// timer do.
    ///
    /// - Parameters:
    ///   - timeout: The longest time to run, on the clock of the machine.
    ///   - file: The file that the issue is reported for.
    ///   - line: The line that the issue is reported for.
    public func run(
        timeout: Swift.Duration = .seconds(10), file: StaticString = #fileID, line: UInt = #line
    ) async {
        let end = ContinuousClock.now.advanced(by: timeout)
        await runReadyTasks()
        while let next = state.withLock({ $0.agenda.nextDate }) {
            guard ContinuousClock.now < end else {
                let message =
                    "expected all sleeping tasks to end within \(timeout), but some still sleep: cancel them, or advance the clock "
                    + "by a duration"
                return FoundIssue(message: message, file: file, line: line).report()
            }
            await advance(to: max(now, next))
        }
    }

    private func runNext(until deadline: Instant) {
        let next = state.withLock { state in
            let next = state.agenda.takeNext(until: deadline)
            if let next { state.now = max(state.now, next.date) }
            return next
        }
        next?.action()
    }
}

extension TestClock where Duration == Swift.Duration {
    /// Creates a clock of the standard library's durations that shows its beginning.
    public convenience init() {
        self.init(now: Instant())
    }
}

/// A task sleeps on a clock on which none was expected to sleep.
public struct SuspensionError: Error, CustomStringConvertible {
    /// A sentence for the developer.
    public var description: String { "expected no task to sleep on the clock" }
}
