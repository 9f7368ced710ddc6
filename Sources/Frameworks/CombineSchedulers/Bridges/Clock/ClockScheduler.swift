public import CombineCore
public import Dispatch
import Locking

/// A scheduler on a Swift clock, so that one test clock drives tasks and publishers alike.
///
/// Actions run on a serial queue, ordered by time and, at the same time, by the order in which they were scheduled.
public final class ClockScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
    /// Scheduler options; this scheduler has none.
    public typealias SchedulerOptions = Never

    /// An instant of the clock.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The instant.
        public var instant: C.Instant

        /// Creates a scheduler time from an instant of the clock.
        public init(_ instant: C.Instant) {
            self.instant = instant
        }

        /// Returns the interval from this time to `other`.
        public func distance(to other: SchedulerTimeType) -> DurationStride {
            DurationStride(instant.duration(to: other.instant))
        }

        /// Returns this time advanced by `value`.
        public func advanced(by value: DurationStride) -> SchedulerTimeType {
            SchedulerTimeType(instant.advanced(by: value.duration))
        }
    }

    private struct State {
        var agenda = Agenda<SchedulerTimeType>()
        /// The numbers of the repeating actions that have not been cancelled.
        var repeating: Set<UInt> = []
        /// The tasks that sleep until the next repetition, by number.
        var sleeps: [UInt: Task<Void, Never>] = [:]
    }

    /// The clock.
    public let clock: C
    /// The queue that runs the actions.
    public let queue: DispatchQueue
    private let state = Lock(State())

    /// Creates a scheduler on `clock`. `queue` must be serial; a concurrent queue would not keep the order.
    public init(_ clock: C, queue: DispatchQueue = DispatchQueue(label: "ClockScheduler")) {
        self.clock = clock
        self.queue = queue
    }

    /// The current time of the clock.
    public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

    /// The resolution of the clock.
    public var minimumTolerance: DurationStride { DurationStride(clock.minimumResolution) }

    /// Runs `action` on the queue as soon as possible.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        queue.schedule(action)
    }

    /// Runs `action` on the queue when the clock reaches `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
    ) {
        state.withLock { $0.agenda.add(at: date, number: $0.agenda.nextNumber(), action) }
        _ = wait(until: date, tolerance)
    }

    /// Runs `action` on the queue when the clock reaches `date` and then at each `interval`, until the token is
    /// cancelled.
    public func schedule(
        after date: SchedulerTimeType, interval: DurationStride, tolerance: DurationStride, options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = state.withLock { state in
            let number = state.agenda.nextNumber()
            state.repeating.insert(number)
            return number
        }
        repeatedly(at: date, interval, tolerance, number, action)
        return AnyCancellable {
            let former = self.state.withLock { state in
                state.repeating.remove(number)
                return (state.agenda.remove(number), state.sleeps.removeValue(forKey: number))
            }
            former.1?.cancel()
        }
    }

    private func repeatedly(
        at date: SchedulerTimeType, _ interval: DurationStride, _ tolerance: DurationStride, _ number: UInt,
        _ action: @escaping () -> Void
    ) {
        let again = {
            // Before the action, so that the action can cancel the next repetition.
            self.repeatedly(at: date.advanced(by: interval), interval, tolerance, number, action)
            action()
        }
        state.withLock { state in
            guard state.repeating.contains(number) else { return }
            state.agenda.add(at: date, number: number, again)
            state.sleeps[number] = wait(until: date, tolerance)
        }
    }

    /// Starts a task that runs the due actions when the clock reaches `date`.
    private func wait(until date: SchedulerTimeType, _ tolerance: DurationStride) -> Task<Void, Never> {
        Task {
            guard (try? await clock.sleep(until: date.instant, tolerance: tolerance.duration)) != nil else { return }
            // A clock may wake a sleeper slightly early; `max` makes sure that the action it slept for is due.
            queue.async { self.runDue(by: max(date, self.now)) }
        }
    }

    private func runDue(by date: SchedulerTimeType) {
        while let next = state.withLock({ $0.agenda.takeNext(until: date) }) {
            next.action()
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a scheduler on this clock.
    public func scheduler(queue: DispatchQueue = DispatchQueue(label: "ClockScheduler")) -> ClockScheduler<Self> {
        ClockScheduler(self, queue: queue)
    }
}
