import Dispatch
import Foundation

extension DispatchWallTime {
    /// Returns the time of a date; the current time if the date is in the past.
    static func notBefore(_ date: Date) -> DispatchWallTime {
        // In this order: if the thread is suspended between the two readings of the clock, an action is late, and not early.
        let interval = max(0, date.timeIntervalSinceNow)
        return .now() + interval
    }
}
