import Foundation

/// Times of day for messages, in UTC, since nobody knows where the reader is.
enum ClockText {
    /// `12:03:05 UTC`, rounded up, so that whoever waits until then has waited long enough.
    static func utc(_ time: Date) -> String {
        let seconds = Int(time.timeIntervalSince1970.rounded(.up).clamped(to: 0...Double(Int32.max) * 64))
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") + " UTC"
    }
}

extension Comparable {
    /// The value, or the bound that it lies beyond.
    func clamped(to bounds: ClosedRange<Self>) -> Self {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
