import Locking

/// A clock that is advanced by hand.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper {
        var deadline: Instant
        var number: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var number = 0
        var cancelled: Set<Int> = []
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes the callers that wait for this number of sleeping tasks.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            let taken = watchers.filter { $0.count == count }
            watchers.removeAll { $0.count == count }
            return taken.map(\.continuation)
        }
    }

    private let state = Lock(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns when the given number of tasks are sleeping.
    func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.watchers.append((count, continuation)) }
            tellWatchers()
        }
    }

    private func tellWatchers() {
        for watcher in state.withLock({ $0.takeWatchers() }) { watcher.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(deadline: deadline, number: number, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                tellWatchers()
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                state.cancelled.insert(number)
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            tellWatchers()
        }
    }

    /// Advances the clock and wakes due tasks, the latest first, so that the scheduler has to restore the order.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let woken = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return woken
        }
        for sleeper in woken.reversed() { sleeper.continuation.resume() }
        tellWatchers()
    }
}
