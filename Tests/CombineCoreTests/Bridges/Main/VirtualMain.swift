import CombineCore
import Locking

/// A substitute for "main" with a virtual clock.
final class VirtualMain: MainSubstitute {
    private struct Entry {
        var due: Duration
        var number: Int
        var action: () -> Void
    }

    private struct State {
        var now: Duration
        var number = 0
        var entries: [Entry] = []
    }

    private let state: Lock<State>

    /// Creates a substitute whose clock starts at an arbitrary time.
    init(now: Duration = .seconds(1_000)) {
        state = Lock(State(now: now))
    }

    var now: Duration { state.withLock { $0.now } }

    /// The number of pending actions.
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

    /// Advances the clock by an interval and runs the actions that become due, with this object as "main".
    func advance(by interval: Duration = .zero) {
        let end = now + interval
        while let action = takeNext(until: end) {
            MainContext.with(self, action)
        }
        state.withLock { $0.now = end }
    }

    /// Advances the clock without running any action, as if the process had stalled.
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

/// A token that removes an action when it is cancelled, but not when it is discarded.
private struct VirtualToken: Cancellable {
    let main: VirtualMain
    let number: Int

    func cancel() {
        main.remove(number)
    }
}
