public import FoundationEssentials

/// A scheduler whose clock shows dates and is moved by hand. Not for use from several threads at the same time.
public class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter> {
    /// A scheduler whose clock shows `initialClock`, by default the beginning of 1970.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}

/// Counts virtual time in dates and seconds.
public struct HistoricalSchedulerTimeConverter: VirtualTimeConverterType {
    /// A moment is a date.
    public typealias VirtualTimeUnit = RxTime
    /// A distance is a number of seconds.
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// The date itself.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime {
        virtualTime
    }

    /// The date itself.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime {
        time
    }

    /// The seconds themselves.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// The seconds themselves.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval {
        timeInterval
    }

    /// The date that is `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime {
        time.addingTimeInterval(offset)
    }

    /// How the first date relates to the second.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
