import Dispatch
import Foundation

/// Dates for the clock of a ``MainSubstitute``, which starts at an arbitrary time.
enum SubstituteDate {
    /// The date at which the uptime clock of this computer was zero, unless the wall clock has been set since.
    // Computed once: the difference between two dates is then exactly the difference between the two times.
    private static let bootDate: Date = {
        // The thread may be suspended between the readings of the two clocks, so the closest of several readings counts.
        let readings = (0..<5).map { _ in
            let before = DispatchTime.now().uptimeNanoseconds
            let date = Date()
            let after = DispatchTime.now().uptimeNanoseconds
            return (date: date, uptime: before, duration: after - before)
        }
        guard let closest = readings.min(by: { $0.duration < $1.duration }) else { return Date() }
        return closest.date.addingTimeInterval(-TimeInterval(closest.uptime) / 1_000_000_000)
    }()

    static func date(at now: Duration) -> Date {
        bootDate.addingTimeInterval(now.timeInterval)
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
