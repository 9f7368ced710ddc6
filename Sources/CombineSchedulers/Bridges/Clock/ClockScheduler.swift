public import CombineCore
public import Dispatch
import Locking

/// A scheduler that takes its time from a Swift clock, so that one test clock drives tasks and streams alike.
///
/// Actions run on a serial queue, in the order of their moments and, at the same moment, in the order in which they
/// were scheduled.
public final class ClockScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
    /// There is nothing to choose.
    public typealias SchedulerOptions = Never

    /// A moment on the clock.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The moment, as the clock has it.
        public var instant: C.Instant

        /// Takes over a moment of the clock's.
        public init(_ instant: C.Instant) {
            self.instant = instant
        }

        /// How much later `other` is.
        public func distance(to other: SchedulerTimeType) -> DurationStride {
            DurationStride(instant.duration(to: other.instant))
        }

        /// The moment that is `value` later.
        public func advanced(by value: DurationStride) -> SchedulerTimeType {
            SchedulerTimeType(instant.advanced(by: value.duration))
        }
    }

    private struct State {
        var agenda = Agenda<SchedulerTimeType>()
        /// The numbers of the repeating actions that have not been cancelled.
        var repeating: Set<UInt> = []
        /// The tasks that wait for their next moments.
        var sleeps: [UInt: Task<Void, Never>] = [:]
    }

    /// Where the time comes from.
    public let clock: C
    /// Where actions run.
    public let queue: DispatchQueue
    private let state = Lock(State())

    /// Makes a scheduler of `clock`; `queue` has to be serial, since a concurrent one would lose the order.
    public init(_ clock: C, queue: DispatchQueue = DispatchQueue(label: "ClockScheduler")) {
        self.clock = clock
        self.queue = queue
    }

    /// The present moment on the clock.
    public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

    /// The resolution of the clock.
    public var minimumTolerance: DurationStride { DurationStride(clock.minimumResolution) }

    /// Runs `action` on the queue as soon as possible.
    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        queue.schedule(action)
    }

    /// Runs `action` on the queue once the clock reaches `date`.
    public func schedule(
        after date: SchedulerTimeType, tolerance: DurationStride, options: Never?, _ action: @escaping () -> Void
    ) {
        state.withLock { $0.agenda.add(at: date, number: $0.agenda.nextNumber(), action) }
        _ = wait(until: date, tolerance)
    }

    /// Runs `action` on the queue once the clock reaches `date` and then again each `interval`, until the token is
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
            // Before the action, so that the action may cancel what comes next.
            self.repeatedly(at: date.advanced(by: interval), interval, tolerance, number, action)
            action()
        }
        state.withLock { state in
            guard state.repeating.contains(number) else { return }
            state.agenda.add(at: date, number: number, again)
            state.sleeps[number] = wait(until: date, tolerance)
        }
    }

    /// Starts a task that runs what is due once the clock reaches `date`.
    private func wait(until date: SchedulerTimeType, _ tolerance: DurationStride) -> Task<Void, Never> {
        Task {
            guard (try? await clock.sleep(until: date.instant, tolerance: tolerance.duration)) != nil else { return }
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
    /// Makes a scheduler that takes its time from this clock.
    public func scheduler(queue: DispatchQueue = DispatchQueue(label: "ClockScheduler")) -> ClockScheduler<Self> {
        ClockScheduler(self, queue: queue)
    }
}
