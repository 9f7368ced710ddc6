public import FoundationEssentials
public import RxCore

/// A converter that measures virtual time in ticks since 1970.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType {
    /// Virtual times are numbers of ticks.
    public typealias VirtualTimeUnit = TestTime
    /// Virtual intervals are numbers of ticks.
    public typealias VirtualTimeIntervalUnit = TestTime

    /// The duration of a tick in seconds.
    private let resolution: Double

    init(resolution: Double) {
        self.resolution = resolution
    }

    /// Returns the date of a virtual time.
    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// Returns the virtual time of a date, rounded to ticks.
    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    /// Returns a number of ticks in seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TestTime) -> TimeInterval {
        Double(virtualTimeInterval) * resolution
    }

    /// Returns the number of ticks in the given number of seconds, rounded.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TestTime {
        TestTime((timeInterval / resolution).rounded())
    }

    /// Returns the virtual time `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: TestTime, offset: TestTime) -> TestTime {
        time + offset
    }

    /// Compares two virtual times.
    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
