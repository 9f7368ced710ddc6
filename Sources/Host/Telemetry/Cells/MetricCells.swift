import Glibc

/// The cells of one thread or event loop. Confined to it, so that counting needs neither a lock nor an atomic operation.
///
/// Cells are created when something is set up, for example a machine on a loop, and kept where they are used.
public final class MetricCells {
    private enum Cell {
        case counter(Counter)
        case gauge(Gauge)
        case histogram(Histogram)
    }

    /// Whether anybody reads the values. If not, counting is still safe, but clocks need not be read for it.
    public let areRead: Bool
    /// The clock; nil for the system's, which is called directly.
    private let clock: (() -> UInt64)?
    private var cells: [MetricSeries: Cell] = [:]

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - areRead: Whether anybody reads the values.
    ///   - clock: Returns a monotonic time in nanoseconds; nil for the system's.
    public init(areRead: Bool = true, clock: (() -> UInt64)? = nil) {
        (self.areRead, self.clock) = (areRead, clock)
    }

    /// The time for ``Histogram/record(nanoseconds:)``, in nanoseconds since an unspecified moment.
    public var now: UInt64 { clock.map { $0() } ?? MetricCells.systemClock() }

    /// Returns the time of the system's monotonic clock in nanoseconds.
    public static func systemClock() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Returns the counter of a family with the given values of its labels. The same values return the same counter.
    public func counter(_ family: MetricFamily, _ values: String...) -> Counter {
        let series = MetricSeries(family, values, .counter)
        if case .counter(let known)? = cells[series] { return known }
        let counter = Counter()
        cells[series] = .counter(counter)
        return counter
    }

    /// Returns the gauge of a family with the given values of its labels.
    public func gauge(_ family: MetricFamily, _ values: String...) -> Gauge {
        let series = MetricSeries(family, values, .gauge)
        if case .gauge(let known)? = cells[series] { return known }
        let gauge = Gauge()
        cells[series] = .gauge(gauge)
        return gauge
    }

    /// Returns the histogram of a family with the given values of its labels.
    public func histogram(_ family: MetricFamily, _ values: String...) -> Histogram {
        let series = MetricSeries(family, values, .histogram)
        if case .histogram(let known)? = cells[series] { return known }
        let histogram = Histogram()
        cells[series] = .histogram(histogram)
        return histogram
    }

    /// The values of all cells at this moment, for another thread.
    public var snapshot: MetricSnapshot {
        var snapshot = MetricSnapshot()
        for (series, cell) in cells {
            switch cell {
            case .counter(let counter): snapshot.add(.count(counter.value), to: series)
            case .gauge(let gauge): snapshot.add(.level(Double(gauge.value)), to: series)
            case .histogram(let histogram): snapshot.add(.distribution(histogram.distribution), to: series)
            }
        }
        return snapshot
    }
}
