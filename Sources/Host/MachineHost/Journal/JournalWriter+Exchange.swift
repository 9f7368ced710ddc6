public import HTTPModel
import Locking
import Synchronization

// The hand-over of the sessions to the process that replaces this one.
extension JournalWriter {
    /// The time between two looks at what a hand-over waits for.
    private static let lookInterval = Duration.milliseconds(20)

    /// Waits until no session waits for the answer of an effect, which only this process can receive.
    ///
    /// - Parameters:
    ///   - patience: The maximum time.
    ///   - isCancelled: Returns whether to stop waiting.
    ///   - done: Called on the writer's thread.
    public func awaitEffects(
        within patience: Duration, isCancelled: @escaping @Sendable () -> Bool = { false },
        _ done: @escaping @Sendable () -> Void
    ) {
        awaitEffects(while: isWaiting(for: patience, isCancelled), done)
    }

    private func awaitEffects(
        while isWaiting: @escaping @Sendable () -> Bool, _ done: @escaping @Sendable () -> Void
    ) {
        collect({ listener, report in listener.countEffects(report) }, while: isWaiting) { [self] count in
            guard let count, count > 0, isWaiting() else { return done() }
            executor.execute(after: Self.lookInterval) { [self] in awaitEffects(while: isWaiting, done) }
        }
    }

    /// Stops the turns of stored sessions, stores what they have changed, and releases the journal. Requests wait until
    /// ``resume(_:resumed:)`` or ``leave(forwarding:)``.
    ///
    /// - Parameters:
    ///   - patience: How long the turns in progress may take.
    ///   - isCancelled: Returns whether to give up.
    ///   - suspended: Receives the journal on the writer's thread; nil if no journal was open.
    ///   - abandoned: Called on the writer's thread if turns have not ended in time, or if the suspension was cancelled before. Turns run
    ///     again, and the journal stays open.
    public func suspend(
        within patience: Duration, isCancelled: @escaping @Sendable () -> Bool = { false },
        _ suspended: @escaping @Sendable ((any Journal)?) -> Void, abandoned: @escaping @Sendable () -> Void
    ) {
        suspensions.withLock { suspensions in
            suspensions += 1
            let number = suspensions
            collect(
                { listener, report in listener.suspend { report(0) } }, while: isWaiting(for: patience, isCancelled)
            ) { [self] reported in
                guard reported != nil else {
                    resumeTurns(unlessSuspendedAfter: number)
                    return abandoned()
                }
                commit()
                storeAllAsleep()
                // After an error of the commit, the process ends. Its successor must not continue what is not stored.
                guard !thread.value.hasFailed else { return }
                let journal = thread.value.journal
                thread.value.journal = nil
                thread.value.nextLookup = .max
                suspended(journal)
            }
        }
    }

    /// Continues the sessions, because no other process does.
    ///
    /// - Parameters:
    ///   - open: Opens the journal, in which no other process has stored a turn meanwhile.
    ///   - resumed: Receives nil when turns run again, or the error.
    public func resume(
        _ open: @escaping @Sendable () throws -> any Journal, resumed: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let seen = suspensions.withLock { $0 }
        executor.execute { [self] in
            do {
                let journal = try open()
                try storeClock(in: journal)
                try renewGeneration(of: journal)
                // The other process may have noted that a session had ended a process, before it failed itself.
                let next = try journal.lastNumber() + 1
                if next > nextRow.load(ordering: .relaxed) { nextRow.store(next, ordering: .relaxed) }
                thread.value.journal = journal
                lookAtSpace()
                resumeTurns(unlessSuspendedAfter: seen)
                if let due = try journal.nextDueTime() { scheduleLookup(due) }
                scheduleVerification()
                resumed(nil)
            } catch {
                resumed(error)
            }
        }
    }

    /// Why a forwarded request has no response.
    public enum ForwardingError: Error {
        /// The other process has not received it.
        case unsent
        /// The other process may have performed it.
        case unanswered
    }

    /// A closure that sends a request to the process that continues the sessions, and passes the response to another closure, on
    /// any thread.
    public typealias Forwarding =
        @Sendable (HTTPRequest, @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void) -> Void

    /// Gives the sessions up, because another process continues them.
    ///
    /// - Parameter forward: Responds to requests for sessions, including those that wait. Without it, they are refused with 503.
    public func leave(forwarding forward: Forwarding? = nil) {
        forwarding.withLock { $0 = forward }
        currentPhase.store(.closed, ordering: .releasing)
        for loop in loops.withLock({ $0 }) { loop.listener.leave() }
    }

    /// Lets turns run again. A suspension that was requested after the one with a number gets the journal, and turns must not run
    /// before that.
    private func resumeTurns(unlessSuspendedAfter number: Int) {
        suspensions.withLock { suspensions in
            guard suspensions == number else { return }
            for loop in loops.withLock({ $0 }) { loop.listener.resume() }
        }
    }

    private func isWaiting(
        for patience: Duration, _ isCancelled: @escaping @Sendable () -> Bool
    ) -> @Sendable () -> Bool {
        let deadline = storedMilliseconds + patience.wholeMilliseconds
        return { [self] in storedMilliseconds < deadline && !isCancelled() }
    }

    /// Asks all loops for a number. The sum arrives on the writer's thread; nil if a loop, in which a turn may never end, has not
    /// reported when the caller waits no more.
    private func collect(
        _ ask: (JournalListener, @escaping @Sendable (Int) -> Void) -> Void,
        while isWaiting: @escaping @Sendable () -> Bool, _ collected: @escaping @Sendable (Int?) -> Void
    ) {
        let loops = loops.withLock { $0 }
        guard !loops.isEmpty else { return executor.execute { collected(0) } }
        let state = CollectedNumbers(missing: loops.count)
        for loop in loops {
            ask(loop.listener) { [executor] number in
                guard let sum = state.add(number) else { return }
                executor.execute { collected(sum) }
            }
        }
        watch(state, while: isWaiting, collected)
    }

    private func watch(
        _ state: CollectedNumbers, while isWaiting: @escaping @Sendable () -> Bool,
        _ collected: @escaping @Sendable (Int?) -> Void
    ) {
        executor.execute(after: Self.lookInterval) { [self] in
            if isWaiting() {
                if state.isIncomplete { watch(state, while: isWaiting, collected) }
            } else if state.close() {
                collected(nil)
            }
        }
    }
}

/// The numbers that loops report. With none missing, later ones do not count.
private final class CollectedNumbers: Sendable {
    private let state: Lock<(missing: Int, sum: Int)>

    init(missing: Int) {
        assert(missing > 0, "expected a loop that reports a number, got \(missing)")
        state = Lock((missing, 0))
    }

    /// Whether a loop has not reported.
    var isIncomplete: Bool { state.withLock { $0.missing > 0 } }

    /// Adds a number. Returns the sum with the last one.
    func add(_ number: Int) -> Int? {
        state.withLock { state in
            guard state.missing > 0 else { return nil }
            state.missing -= 1
            assert(number >= 0, "expected a number of effects, got \(number)")
            state.sum += number
            return state.missing == 0 ? state.sum : nil
        }
    }

    /// Stops waiting for the numbers that are missing. Returns whether any was missing.
    func close() -> Bool {
        state.withLock { state in
            defer { state.missing = 0 }
            return state.missing > 0
        }
    }
}
