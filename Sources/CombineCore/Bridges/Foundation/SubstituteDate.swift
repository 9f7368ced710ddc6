import Dispatch
import Foundation

/// Dates for the time of a ``MainSubstitute``, which counts from some moment of its own.
enum SubstituteDate {
    /// When the clock of this machine's running time stood at zero, if the wall clock has not been set since. Fixed
    /// once, so that two dates are exactly as far apart as the moments that they stand for.
    private static let bootDate = Date(
        timeIntervalSinceNow: -TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000)

    static func date(at now: Duration) -> Date {
        bootDate.addingTimeInterval(now.timeInterval)
    }
}

extension Duration {
    /// The length in seconds; what is negative or not a number counts as zero, what is too long as 292 years.
    init(clamping interval: TimeInterval) {
        self = .nanoseconds(Int64(exactly: (min(max(interval, 0), 9.2e9) * 1e9).rounded()) ?? 0)
    }

    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}
