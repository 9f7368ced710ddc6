extension Subscribers.Demand {
    /// The sum; without limit if either is.
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        // Two bounded demands fit into the word; two unlimited ones do not.
        if lhs.rawValue >= limit || rhs.rawValue >= limit { return .unlimited }
        return Self(rawValue: lhs.rawValue + rhs.rawValue)
    }

    /// Adds `rhs`; without limit if either is.
    @inlinable
    public static func += (lhs: inout Self, rhs: Self) {
        lhs = lhs + rhs
    }

    /// The sum; `rhs` may be negative as long as the sum is not.
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

    /// The product; saturates.
    @inlinable
    public static func * (lhs: Self, rhs: Int) -> Self {
        guard let count = lhs.max else { return .unlimited }
        let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
        return overflow ? .unlimited : .max(product)
    }

    /// Multiplies by `rhs`; saturates.
    @inlinable
    public static func *= (lhs: inout Self, rhs: Int) {
        lhs = lhs * rhs
    }

    /// The difference. Unlimited minus anything stays unlimited; anything bounded minus unlimited is none.
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

    /// The difference; unlimited stays unlimited, and a number that does not fit becomes none.
    @inlinable
    public static func - (lhs: Self, rhs: Int) -> Self {
        guard let count = lhs.max else { return .unlimited }
        let (difference, overflow) = count.subtractingReportingOverflow(rhs)
        return overflow ? .none : .max(difference)
    }

    /// Subtracts `rhs`; unlimited stays unlimited.
    @inlinable
    public static func -= (lhs: inout Self, rhs: Int) {
        lhs = lhs - rhs
    }

    /// Whether `lhs` is more than `rhs`; unlimited is more than every number.
    @inlinable
    public static func > (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 > rhs } ?? true
    }

    /// Whether `lhs` is more than `rhs`; unlimited is more than every number.
    @inlinable
    public static func > (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs > $0 } ?? false
    }

    /// Whether `lhs` is at least as many as `rhs`; unlimited is more than every number.
    @inlinable
    public static func >= (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 >= rhs } ?? true
    }

    /// Whether `lhs` is at least as many as `rhs`; unlimited is more than every number.
    @inlinable
    public static func >= (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs >= $0 } ?? false
    }

    /// Whether `lhs` is fewer than `rhs`; unlimited is more than every number.
    @inlinable
    public static func < (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 < rhs } ?? false
    }

    /// Whether `lhs` is fewer than `rhs`; unlimited is more than every number.
    @inlinable
    public static func < (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs < $0 } ?? true
    }

    /// Whether `lhs` is at most as many as `rhs`; unlimited is more than every number.
    @inlinable
    public static func <= (lhs: Self, rhs: Int) -> Bool {
        lhs.max.map { $0 <= rhs } ?? false
    }

    /// Whether `lhs` is at most as many as `rhs`; unlimited is more than every number.
    @inlinable
    public static func <= (lhs: Int, rhs: Self) -> Bool {
        rhs.max.map { lhs <= $0 } ?? true
    }

    /// Whether `lhs` is less than `rhs`; nothing is more than unlimited.
    @inlinable
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.rawValue < rhs.rawValue
    }

    /// Whether `lhs` is exactly `rhs` values.
    @inlinable
    public static func == (lhs: Self, rhs: Int) -> Bool {
        lhs.max == rhs
    }

    /// Whether `lhs` is not exactly `rhs` values.
    @inlinable
    public static func != (lhs: Self, rhs: Int) -> Bool {
        lhs.max != rhs
    }

    /// Whether `rhs` is exactly `lhs` values.
    @inlinable
    public static func == (lhs: Int, rhs: Self) -> Bool {
        rhs.max == lhs
    }

    /// Whether `rhs` is not exactly `lhs` values.
    @inlinable
    public static func != (lhs: Int, rhs: Self) -> Bool {
        rhs.max != lhs
    }
}
