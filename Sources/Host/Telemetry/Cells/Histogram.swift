/// Durations, counted by how long they are. Confined to the thread or loop of its ``MetricCells``.
///
/// All histograms have the same buckets, so that they can be compared and added.
public final class Histogram {
    /// The upper bounds of the buckets in nanoseconds, from 10 µs to 10 s, inclusive. Longer durations are in one more bucket.
    public static let bounds: [UInt64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
        50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ]

    // Unchecked exclusivity: the cell is confined to a thread, and no access lasts across a call.
    @exclusivity(unchecked) private var counts = InlineArray<19, UInt64>(repeating: 0)
    @exclusivity(unchecked) private var sum: UInt64 = 0
    private let bounds = InlineArray<18, UInt64> { Histogram.bounds[$0] }

    init() {}

    /// Counts a duration.
    public func record(nanoseconds: UInt64) {
        sum &+= nanoseconds
        // From the shortest: most durations are in the first buckets.
        var index = 0
        while index < bounds.count, nanoseconds > bounds[index] { index += 1 }
        counts[index] &+= 1
    }

    /// The content at this moment.
    var distribution: Distribution { Distribution(counts: counts.indices.map { counts[$0] }, sum: sum) }
}

/// The content of a ``Histogram``.
public struct Distribution: Hashable, Sendable {
    /// The number of durations in each bucket, without those in shorter ones. The last bucket has no upper bound.
    public private(set) var counts: [UInt64]
    /// The sum of all durations in nanoseconds.
    public private(set) var sum: UInt64

    /// The number of durations.
    public var count: UInt64 { counts.reduce(0, &+) }

    mutating func add(_ other: Distribution) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        sum &+= other.sum
    }
}
