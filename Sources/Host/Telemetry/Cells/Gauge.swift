/// A number that grows and shrinks. Confined to the thread or loop of its ``MetricCells``.
///
/// The values of all threads are added, so a thread counts only what belongs to it.
public final class Gauge {
    // Unchecked exclusivity: the cell is confined to a thread, and no access lasts across a call.
    /// The number.
    @exclusivity(unchecked) public private(set) var value: Int64 = 0

    init() {}

    /// Adds to the number; subtracts if `count` is negative.
    public func add(_ count: Int64) { value &+= count }
}
