public import CombineCore
import Locking

/// A scheduler whose clock is moved by hand.
///
/// Nothing runs before the clock is moved, not even what is to run as soon as possible. What is due runs in the order
/// of its time and, at the same time, in the order in which it was scheduled; the clock stands at that time meanwhile.
/// An action may schedule, cancel, and even move the clock.
public final class TestScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
    private struct State {
        var now: SchedulerTimeType
        var agenda = Agenda<SchedulerTimeType>()
    }

    private let state: Lock<State>

    /// Zero.
    public var minimumTolerance: SchedulerTimeType.Stride { .zero }

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
        while runNext(until: instant) {}
        stand(at: instant)
    }

    /// Moves the clock on until nothing is scheduled any more; with a timer that repeats for ever it does not return.
    public func run() {
        while let date = nextDate {
            advance(to: max(now, date))
        }
    }

    /// When the clock has to be moved to for something to run.
    var nextDate: SchedulerTimeType? {
        state.withLock { $0.agenda.nextDate }
    }

    /// Runs the next action that is due by then, with the clock at its moment.
    ///
    /// - Returns: Whether there was one.
    func runNext(until instant: SchedulerTimeType) -> Bool {
        let next = state.withLock { state in
            let next = state.agenda.takeNext(until: instant)
            if let next { state.now = max(state.now, next.date) }
            return next
        }
        next?.action()
        return next != nil
    }

    /// Moves the clock and runs nothing; it never goes back.
    func stand(at instant: SchedulerTimeType) {
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Runs `action` the next time that the clock is moved.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        state.withLock { $0.agenda.add(at: $0.now, number: $0.agenda.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        state.withLock { $0.agenda.add(at: date, number: $0.agenda.nextNumber(), action) }
    }

    /// Runs `action` when the clock reaches `date` and then again each `interval`, until the token is cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = state.withLock { $0.agenda.nextNumber() }
        repeatedly(at: date, interval, number, action)
        return AnyCancellable { [state] in
            let removed = state.withLock { $0.agenda.remove(number) }
            withExtendedLifetime(removed) {}
        }
    }

    /// Keeps its number over the repetitions: they keep their place among what is due at the same time, and the token
    /// finds them.
    private func repeatedly(
        at date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride, _ number: UInt, _ action: @escaping () -> Void
    ) {
        state.withLock {
            $0.agenda.add(at: date, number: number) { [weak self] in
                // Before the action, so that the action may cancel what comes next.
                self?.repeatedly(at: date.advanced(by: interval), interval, number, action)
                action()
            }
        }
    }
}

/// A ``TestScheduler`` with the notions of time and of options of the scheduler type `S`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<S.SchedulerTimeType, S.SchedulerOptions>
