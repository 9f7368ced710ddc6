import HTTPModel

/// Whole seconds since a shard was created: the resolution of the host's deadlines.
typealias Tick = UInt32

extension Duration {
    /// The duration in ticks, rounded up, at least one.
    var ticks: Tick {
        let nanoseconds = max(1, wholeNanoseconds)
        // A quarter of the range, so that adding two durations to the current tick cannot overflow.
        return Tick(min((nanoseconds - 1) / 1_000_000_000 + 1, Int64(Tick.max / 4)))
    }
}
