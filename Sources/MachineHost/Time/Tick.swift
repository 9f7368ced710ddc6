import HTTPModel

/// Whole seconds since a loop's shard was made: as fine as the host's deadlines are.
typealias Tick = UInt32

extension Duration {
    /// The duration in ticks, rounded up, at least one.
    var ticks: Tick {
        let nanoseconds = max(1, wholeNanoseconds)
        return Tick(min((nanoseconds - 1) / 1_000_000_000 + 1, Int64(Tick.max / 4)))
    }
}
