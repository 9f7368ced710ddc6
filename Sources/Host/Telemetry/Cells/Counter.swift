/// A number that only grows. Confined to the thread or loop of its ``MetricCells``: adding is one addition in memory.
public final class Counter {
    // Unchecked exclusivity: the cell is confined to a thread, and no access lasts across a call.
    /// The number.
    @exclusivity(unchecked) public private(set) var value: UInt64 = 0

    init() {}

    /// Adds to the number. It wraps around after 2⁶⁴, as monitoring systems expect of a restarted counter.
    public func add(_ count: UInt64 = 1) { value &+= count }
}
