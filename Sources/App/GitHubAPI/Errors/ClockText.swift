import Foundation

/// Formats times of day for messages, in UTC because the reader's time zone is unknown.
enum ClockText {
    /// Returns the time of day, such as `12:03:05 UTC`. It is rounded up so that a client that retries then is not too
    /// early.
    static func utc(_ time: Date) -> String {
        let seconds = Int(time.timeIntervalSince1970.rounded(.up).clamped(to: 0...Double(Int32.max) * 64))
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") + " UTC"
    }
}

extension Comparable {
    /// Returns the value, or the bound that it exceeds.
    func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
