import CombineCore
import Dispatch
import FoundationEssentials
import StateCapture

/// A scheduler's clock in nanoseconds, and its relation to the clock of the session that is being wired.
struct SchedulerClock {
    private let scheduler: any SchedulerType
    private let substitute: SubstituteScheduler?
    private let origin: RxTime
    /// The time on the session's clock at the reading 0.
    private let offset: Int64

    /// Creates a clock of a scheduler that was resolved.
    init(_ scheduler: any SchedulerType) {
        self.scheduler = scheduler
        substitute = scheduler as? SubstituteScheduler
        if substitute != nil {
            // The session's own clock.
            (origin, offset) = (RxTime(timeIntervalSinceReferenceDate: 0), 0)
            return
        }
        origin = scheduler.now
        guard StateRegistry.current != nil else {
            offset = 0
            return
        }
        offset = MainContext.current?.now.nanoseconds ?? Self.nanoseconds(origin.timeIntervalSince1970)
    }

    /// The current reading. The readings of one clock can be compared with each other only.
    var now: Int64 {
        substitute?.reading ?? Self.nanoseconds(scheduler.now.timeIntervalSince(origin))
    }

    /// Returns the reading after an interval.
    func reading(after interval: RxTimeInterval) -> Int64 {
        now.clampedSum(interval.nanoseconds)
    }

    /// Returns the reading at which a periodic action that was due at another one is due again: the next on its grid that is
    /// not over.
    ///
    /// A virtual clock has no delay to make up for: it passes the time of a run only because the scheduler has adjusted that
    /// time, or because the program has advanced the clock. There, a full period follows the run.
    func reading(following due: Int64, every period: RxTimeInterval) -> Int64 {
        let (now, length) = (now, period.nanoseconds)
        guard now > due, length > 0, !(scheduler is any VirtualClock) else { return max(now, due).clampedSum(length) }
        return due.clampedSum(((now &- due) / length &+ 1) &* length)
    }

    /// Returns the time until a reading, at least zero.
    func interval(until reading: Int64) -> RxTimeInterval {
        let (rest, overflow) = reading.subtractingReportingOverflow(now)
        return .nanoseconds(Int(overflow ? Int64.max : max(0, rest)))
    }

    /// Returns a reading as a time that keeps its meaning in another process.
    func stored(_ reading: Int64) -> StoredTime {
        StoredTime(nanoseconds: reading.clampedSum(offset))
    }

    func reading(at time: StoredTime) -> Int64 {
        time.nanoseconds.clampedSum(-offset)
    }

    private static func nanoseconds(_ seconds: Double) -> Int64 {
        let value = (seconds * 1e9).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }
}

extension Int64 {
    /// Returns the sum, or the nearest bound if it overflows.
    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}

extension Duration {
    /// The duration in nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
