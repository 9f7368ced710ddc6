public import FoundationEssentials

/// A virtual time scheduler whose clock shows dates. Not thread-safe.
public class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter> {
    /// Creates a scheduler whose clock shows `initialClock`, by default 1 January 1970.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}

/// A converter that measures virtual time in dates and seconds.
public struct HistoricalSchedulerTimeConverter: VirtualTimeConverterType {
    /// Virtual times are dates.
    public typealias VirtualTimeUnit = RxTime
    /// Virtual intervals are in seconds.
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// Returns the date unchanged.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime {
        virtualTime
    }

    /// Returns the date unchanged.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime {
        time
    }

    /// Returns the number of seconds unchanged.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// Returns the number of seconds unchanged.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval {
        timeInterval
    }

    /// Returns the date `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime {
        time.addingTimeInterval(offset)
    }

    /// Compares two dates.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
