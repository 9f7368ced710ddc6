import HTTPModel

/// So much of something at once, and so much a second beside it.
struct Allowance: Sendable {
    private let capacity: Int64
    private let perSecond: Int64
    /// In thousandths, so that short times give back their part.
    private var left: Int64
    private var refilled: MonotonicTime

    init(capacity: Int, perSecond: Int, now: MonotonicTime) {
        // A capacity without end is one that nobody uses up.
        self.capacity = min(Int64(max(0, capacity)), .max >> 16) * 1000
        self.perSecond = Int64(max(0, perSecond))
        left = self.capacity
        refilled = now
    }

    /// Takes so many; answers whether they were there.
    mutating func take(_ count: Int = 1) -> Bool {
        left -= Int64(count) * 1000
        return left >= 0
    }

    /// Gives back so many, up to the capacity.
    mutating func giveBack(_ count: Int) {
        left = min(capacity, left + Int64(count) * 1000)
    }

    /// Gives back what belongs to the time that has passed.
    mutating func refill(now: MonotonicTime) {
        let milliseconds = (now - refilled).wholeNanoseconds / 1_000_000
        guard milliseconds > 0 else { return }
        refilled = now
        let (gained, overflow) = milliseconds.multipliedReportingOverflow(by: perSecond)
        left = overflow ? capacity : min(capacity, left + min(gained, capacity - min(left, 0)))
    }
}
