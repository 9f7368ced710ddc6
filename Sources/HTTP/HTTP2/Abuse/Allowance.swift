import HTTPModel

/// A token bucket: a capacity, and a rate at which it is refilled.
struct Allowance: Sendable {
    private let capacity: Int64
    private let perSecond: Int64
    /// In thousandths of a token, so that short times are credited as well.
    private var left: Int64
    private var refilled: MonotonicTime

    init(capacity: Int, perSecond: Int, now: MonotonicTime) {
        // Limited, so that an unlimited capacity cannot overflow.
        self.capacity = min(Int64(max(0, capacity)), .max >> 16) * 1000
        self.perSecond = Int64(max(0, perSecond))
        left = self.capacity
        refilled = now
    }

    /// Takes tokens; returns whether there were enough of them.
    mutating func take(_ count: Int = 1) -> Bool {
        left -= Int64(count) * 1000
        return left >= 0
    }

    /// Returns tokens, up to the capacity.
    mutating func restore(_ count: Int) {
        left = min(capacity, left + Int64(count) * 1000)
    }

    /// Adds the tokens for the time that has passed.
    mutating func refill(now: MonotonicTime) {
        let milliseconds = (now - refilled).wholeMilliseconds
        guard milliseconds > 0 else { return }
        refilled = now
        let (gained, overflow) = milliseconds.multipliedReportingOverflow(by: perSecond)
        left = overflow ? capacity : min(capacity, left + min(gained, capacity - min(left, 0)))
    }
}
