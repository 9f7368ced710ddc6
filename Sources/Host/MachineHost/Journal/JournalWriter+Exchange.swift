public import HTTPModel
import Locking
import Synchronization

// The hand-over of the sessions to the process that replaces this one.
extension JournalWriter {
    /// The time between two looks at effects in flight.
    private static let effectsInterval = Duration.milliseconds(20)

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
        awaitEffects(until: storedMilliseconds + patience.wholeMilliseconds, isCancelled, done)
    }

    private func awaitEffects(
        until deadline: Int64, _ isCancelled: @escaping @Sendable () -> Bool, _ done: @escaping @Sendable () -> Void
    ) {
        countEffects { [self] count in
            guard count > 0, storedMilliseconds < deadline, !isCancelled() else { return done() }
            executor.execute(after: Self.effectsInterval) { [self] in awaitEffects(until: deadline, isCancelled, done) }
        }
    }

    /// Stops the turns of stored sessions, stores what they have changed, and releases the journal. Requests wait until
    /// ``resume(_:resumed:)`` or ``leave(forwarding:)``.
    ///
    /// - Parameter suspended: Receives the journal on the writer's thread; nil if no journal was open.
    public func suspend(_ suspended: @escaping @Sendable ((any Journal)?) -> Void) {
        suspensions.withLock { suspensions in
            suspensions += 1
            collect({ listener, report in listener.suspend { report(0) } }) { [self] _ in
                commit()
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
                // A suspension that was requested meanwhile gets the journal, and turns must not run again before that.
                suspensions.withLock { suspensions in
                    guard suspensions == seen else { return }
                    for loop in loops.withLock({ $0 }) { loop.listener.resume() }
                }
                scheduleLookup(try journal.nextDueTime())
                scheduleVerification()
                resumed(nil)
            } catch {
                resumed(error)
            }
        }
    }

    /// A closure that sends a request to the process that continues the sessions, and passes the response to another closure, on
    /// any thread; nil if it has received no response.
    public typealias Forwarding = @Sendable (HTTPRequest, @escaping @Sendable (HTTPResponse?) -> Void) -> Void

    /// Gives the sessions up, because another process continues them.
    ///
    /// - Parameter forward: Responds to requests for sessions, including those that wait. Without it, they are refused with 503.
    public func leave(forwarding forward: Forwarding? = nil) {
        forwarding.withLock { $0 = forward }
        currentPhase.store(.closed, ordering: .releasing)
        for loop in loops.withLock({ $0 }) { loop.listener.leave() }
    }

    private func countEffects(_ counted: @escaping @Sendable (Int) -> Void) {
        collect({ listener, report in listener.countEffects(report) }, counted)
    }

    /// Asks all loops for a number. The sum arrives on the writer's thread.
    private func collect(
        _ ask: (JournalListener, @escaping @Sendable (Int) -> Void) -> Void,
        _ collected: @escaping @Sendable (Int) -> Void
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
    }
}

/// The numbers that loops report.
private final class CollectedNumbers: Sendable {
    private let state: Lock<(missing: Int, sum: Int)>

    init(missing: Int) {
        assert(missing > 0, "expected a loop that reports a number, got \(missing)")
        state = Lock((missing, 0))
    }

    /// Adds a number. Returns the sum with the last one.
    func add(_ number: Int) -> Int? {
        state.withLock { state in
            state.missing -= 1
            assert(state.missing >= 0, "expected one number from each loop")
            assert(number >= 0, "expected a number of effects, got \(number)")
            state.sum += number
            return state.missing == 0 ? state.sum : nil
        }
    }
}
