public import CombineCore
import Locking

/// A scheduler whose clock is moved by hand.
///
/// Nothing runs before the clock is moved, not even what is to run as soon as possible. What is due runs in the order
/// of its time and, at the same time, in the order in which it was scheduled; the clock stands at that time meanwhile.
public final class TestScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private struct Entry {
        let number: UInt
        let date: SchedulerTimeType
        let action: () -> Void
    }

    private struct State {
        var now: SchedulerTimeType
        var lastNumber: UInt = 0
        /// Sorted by date, then number.
        var entries: [Entry] = []

        mutating func add(at date: SchedulerTimeType, number: UInt, _ action: @escaping () -> Void) {
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                let entry = entries[middle]
                if (entry.date, entry.number) < (date, number) { low = middle + 1 } else { high = middle }
            }
            entries.insert(Entry(number: number, date: date, action: action), at: low)
        }

        mutating func nextNumber() -> UInt {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state: Lock<State>

    /// Zero.
    public let minimumTolerance: SchedulerTimeType.Stride = .zero

    /// Makes a scheduler whose clock stands at `now`.
    public init(now: SchedulerTimeType) {
        state = Lock(State(now: now))
    }

    /// Where the clock stands.
    public var now: SchedulerTimeType {
        state.withLock { $0.now }
    }

    /// Moves the clock by `stride` and runs what falls due, including what is scheduled meanwhile.
    ///
    /// Without an argument it runs what is due by now.
    public func advance(by stride: SchedulerTimeType.Stride = .zero) {
        advance(to: now.advanced(by: stride))
    }

    /// Moves the clock to `instant` and runs what falls due; a moment that has passed already changes nothing.
    public func advance(to instant: SchedulerTimeType) {
        while let action = takeNext(until: instant) {
            action()
        }
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Moves the clock on until nothing is scheduled any more; with a timer that repeats for ever it does not return.
    public func run() {
        while let date = state.withLock({ $0.entries.first?.date }) {
            advance(to: max(now, date))
        }
    }

    /// Runs `action` the next time that the clock is moved.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        state.withLock { $0.add(at: $0.now, number: $0.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        state.withLock { $0.add(at: date, number: $0.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date` and then again each `interval`, until the token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = state.withLock { $0.nextNumber() }
        repeatedly(at: date, interval, number, action)
        return AnyCancellable { [state] in
            let dropped = state.withLock { state in
                let kept = state.entries
                state.entries.removeAll { $0.number == number }
                return kept
            }
            withExtendedLifetime(dropped) {}
        }
    }

    /// Keeps its number over the repetitions, so that its token finds it.
    private func repeatedly(
        at date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride, _ number: UInt, _ action: @escaping () -> Void
    ) {
        state.withLock {
            $0.add(at: date, number: number) { [weak self] in
                self?.repeatedly(at: date.advanced(by: interval), interval, number, action)
                action()
            }
        }
    }

    private func takeNext(until instant: SchedulerTimeType) -> (() -> Void)? {
        state.withLock { state in
            guard let first = state.entries.first, first.date <= instant else { return nil }
            state.now = max(state.now, first.date)
            state.entries.removeFirst()
            return first.action
        }
    }
}

/// A ``TestScheduler`` with the notions of time and of options of the scheduler type `S`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<S.SchedulerTimeType, S.SchedulerOptions>
