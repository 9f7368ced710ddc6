import Foundation
import Locking
import StateCapture

/// Dates for the clock of a ``MainSubstitute``, which starts at an arbitrary time.
enum SubstituteDate {
    /// The date at which the uptime clock of this computer was zero, unless the wall clock has been set since.
    // Computed once: the difference between two dates is then exactly the difference between the two times.
    private static let bootDate = measuredBootDate()
    /// The same by the present wall clock, when it was needed last.
    private static let presentBootDate = Lock(bootDate)

    private static func measuredBootDate() -> Date {
        // The thread may be suspended between the readings of the two clocks, so the closest of several readings counts.
        let readings = (0..<5).map { _ in
            let before = SystemUptime.now
            let date = Date()
            return (date: date, uptime: before, duration: SystemUptime.now - before)
        }
        guard let closest = readings.min(by: { $0.duration < $1.duration }) else { return Date() }
        return closest.date.addingTimeInterval(-closest.uptime.timeInterval)
    }

    /// Returns the date of a time for a scheduler, which only measures differences.
    static func date(at now: Duration) -> Date {
        bootDate.addingTimeInterval(now.timeInterval)
    }

    /// Returns the date of the present time by the present wall clock, which may have been set.
    static func presentDate(at now: Duration) -> Date {
        let measured = measuredBootDate()
        let present = presentBootDate.withLock { known in
            // Readings differ by a little; the difference between two dates is exact.
            if abs(measured.timeIntervalSince(known)) >= 0.01 { known = measured }
            return known
        }
        return present.addingTimeInterval(now.timeInterval)
    }
}

extension Duration {
    /// Creates a duration from a number of seconds. A negative number and NaN become zero; a duration of more than 292
    /// years becomes 292 years.
    init(clamping interval: TimeInterval) {
        self = .nanoseconds(Int64(exactly: (min(max(interval, 0), 9.2e9) * 1e9).rounded()) ?? 0)
    }

    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
