public import FoundationEssentials

/// What a ``VirtualTimeScheduler`` counts time in, and how that relates to dates.
public protocol VirtualTimeConverterType {
    /// A moment.
    associatedtype VirtualTimeUnit
    /// The distance between two moments.
    associatedtype VirtualTimeIntervalUnit

    /// The date of a moment.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime

    /// The moment of a date.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit

    /// A distance in seconds.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval

    /// The distance of that many seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit

    /// The moment that is `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit

    /// How the first moment relates to the second.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// How one moment relates to another.
public enum VirtualTimeComparison {
    /// The first is earlier.
    case lessThan
    /// They are the same.
    case equal
    /// The first is later.
    case greaterThan
}
