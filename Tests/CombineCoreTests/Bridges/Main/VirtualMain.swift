import CombineCore
import Locking

/// Stands in for "main" with a clock that is moved by hand.
final class VirtualMain: MainSubstitute {
    private struct Entry {
        var due: Duration
        var number: Int
        var action: () -> Void
    }

    private struct State {
        var now = Duration.seconds(1_000)
        var number = 0
        var entries: [Entry] = []
    }

    private let state = Lock(State())

    var now: Duration { state.withLock { $0.now } }

    /// How many actions wait.
    var count: Int { state.withLock { $0.entries.count } }

    func schedule(_ action: @escaping () -> Void) {
        _ = add(after: .zero, action)
    }

    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
        VirtualToken(main: self, number: add(after: interval, action))
    }

    private func add(after interval: Duration, _ action: @escaping () -> Void) -> Int {
        state.withLock { state in
            state.number += 1
            state.entries.append(Entry(due: state.now + interval, number: state.number, action: action))
            return state.number
        }
    }

    fileprivate func remove(_ number: Int) {
        state.withLock { $0.entries.removeAll { $0.number == number } }
    }

    /// Runs what falls due up to then, with this object as "main".
    func advance(by interval: Duration = .zero) {
        let end = now + interval
        while let action = takeNext(until: end) {
            MainContext.with(self, action)
        }
        state.withLock { $0.now = end }
    }

    /// Lets time pass without running anything, as a stalled process does.
    func stall(for interval: Duration) {
        state.withLock { $0.now += interval }
    }

    private func takeNext(until end: Duration) -> (() -> Void)? {
        state.withLock { state in
            let due = state.entries.filter { $0.due <= end }
            guard let next = due.min(by: { ($0.due, $0.number) < ($1.due, $1.number) }) else { return nil }
            state.entries.removeAll { $0.number == next.number }
            state.now = max(state.now, next.due)
            return next.action
        }
    }
}

/// Takes an action back; going away does not.
private struct VirtualToken: Cancellable {
    let main: VirtualMain
    let number: Int

    func cancel() {
        main.remove(number)
    }
}
