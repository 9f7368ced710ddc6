extension Subscribers.Demand {
    /// Returns the sum of two demands; unlimited if either is.
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        // Two bounded demands fit into the word. Two unlimited ones do not: their sum would overflow and trap.
        if lhs.rawValue >= limit || rhs.rawValue >= limit { return .unlimited }
        return Self(rawValue: lhs.rawValue + rhs.rawValue)
    }

    /// Adds a demand; the result is unlimited if either is.
    @inlinable
    public static func += (lhs: inout Self, rhs: Self) {
        lhs = lhs + rhs
    }

    /// Returns the sum. `rhs` may be negative as long as the sum is not.
    @inlinable
    public static func + (lhs: Self, rhs: Int) -> Self {
        guard let count = lhs.max else { return .unlimited }
        let (sum, overflow) = count.addingReportingOverflow(rhs)
        return overflow ? .unlimited : .max(sum)
    }

    /// Adds `rhs`, which may be negative as long as the sum is not.
    @inlinable
    public static func += (lhs: inout Self, rhs: Int) {
        lhs = lhs + rhs
    }

    /// Returns the product, which is unlimited on overflow.
    @inlinable
    public static func * (lhs: Self, rhs: Int) -> Self {
        guard let count = lhs.max else { return .unlimited }
        let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
        return overflow ? .unlimited : .max(product)
    }

    /// Multiplies by `rhs`; the result is unlimited on overflow.
    @inlinable
    public static func *= (lhs: inout Self, rhs: Int) {
        lhs = lhs * rhs
    }

    /// Returns the difference. Unlimited minus anything is unlimited; a bounded demand minus unlimited is zero.
    @inlinable
    public static func - (lhs: Self, rhs: Self) -> Self {
        guard let left = lhs.max else { return .unlimited }
        guard let right = rhs.max else { return .none }
        return .max(left - right)
    }

    /// Subtracts `rhs` by the rules of `-`.
    @inlinable
    public static func -= (lhs: inout Self, rhs: Self) {
        lhs = lhs - rhs
    }

    /// Returns the difference. Unlimited stays unlimited, and an overflow yields none.
    @inlinable
    public static func - (lhs: Self, rhs: Int) -> Self {
        guard let count = lhs.max else { return .unlimited }
        let (difference, overflow) = count.subtractingReportingOverflow(rhs)
        return overflow ? .none : .max(difference)
    }

    /// Subtracts `rhs`. Unlimited stays unlimited.
    @inlinable
    public static func -= (lhs: inout Self, rhs: Int) {
        lhs = lhs - rhs
    }

    /// Returns whether `lhs` is greater than `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func > (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 > rhs } ?? true
    }

    /// Returns whether `lhs` is greater than `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func > (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs > $0 } ?? false
    }

    /// Returns whether `lhs` is at least `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func >= (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 >= rhs } ?? true
    }

    /// Returns whether `lhs` is at least `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func >= (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs >= $0 } ?? false
    }

    /// Returns whether `lhs` is less than `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func < (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 < rhs } ?? false
    }

    /// Returns whether `lhs` is less than `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func < (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs < $0 } ?? true
    }

    /// Returns whether `lhs` is at most `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func <= (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 <= rhs } ?? false
    }

    /// Returns whether `lhs` is at most `rhs`. Unlimited is greater than every number.
    @inlinable
    public static func <= (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs <= $0 } ?? true
    }

    /// Returns whether `lhs` is less than `rhs`. Nothing is greater than unlimited.
    @inlinable
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    /// Returns whether `lhs` is exactly `rhs` values.
    @inlinable
    public static func == (lhs: Self, rhs: Int) -> Bool {
        lhs.max == rhs
    }

    /// Returns whether `lhs` is not exactly `rhs` values.
    @inlinable
    public static func != (lhs: Self, rhs: Int) -> Bool {
        lhs.max != rhs
    }

    /// Returns whether `rhs` is exactly `lhs` values.
    @inlinable
    public static func == (lhs: Int, rhs: Self) -> Bool {
        rhs.max == lhs
    }

    /// Returns whether `rhs` is not exactly `lhs` values.
    @inlinable
    public static func != (lhs: Int, rhs: Self) -> Bool {
        rhs.max != lhs
    }
}
