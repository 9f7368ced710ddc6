package import CombineCore

/// A session's loop with a virtual clock, which changes its thread from turn to turn.
///
/// Unchecked because a test runs one turn at a time.
package final class SessionMain: MainSubstitute, @unchecked Sendable {
    private struct Entry {
        let due: Duration
        let number: Int
        let action: () -> Void
    }

    /// The time of the loop.
    package private(set) var now: Duration
    /// What the current thread holds during a turn.
    package private(set) lazy var box = MainSubstituteBox(self)
    private var lastNumber = 0
    private var entries: [Entry] = []
    private let threads = AlternatingThread()

    /// Creates a loop whose clock shows a time.
    package init(now: Duration) {
        self.now = now
    }

    /// Runs a closure in a later turn.
    package func schedule(_ action: @escaping () -> Void) {
        _ = schedule(after: .zero, action)
    }

    /// Runs a closure in a turn after an interval, unless the returned token is cancelled.
    package func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        lastNumber += 1
        let number = lastNumber
        entries.append(Entry(due: now + interval, number: number, action: action))
        return Token { [weak self] in self?.entries.removeAll { $0.number == number } }
    }

    /// Advances the clock and runs the actions that become due.
    package func advance(by interval: Duration) {
        let end = now + interval
        while let next = entries.filter({ $0.due <= end }).min(by: { ($0.due, $0.number) < ($1.due, $1.number) }) {
            entries.removeAll { $0.number == next.number }
            now = max(now, next.due)
            turn(next.action)
        }
        now = end
    }

    /// Runs a closure in a turn.
    package func turn(_ body: () -> Void) {
        threads.run { MainContext.with(box, body) }
    }
}

/// A token that does not cancel when it is deallocated.
private struct Token: Cancellable {
    let action: () -> Void

    func cancel() {
        action()
    }
}
