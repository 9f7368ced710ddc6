import Locking

/// A gauge for the distance between the stack frames that read it, all on one thread.
public final class StackGauge: Sendable {
    private let bounds = Lock<(lowest: UInt, highest: UInt)>((.max, .min))

    /// Creates a gauge without readings.
    public init() {}

    // Inlined, the local variable could be placed in a frame of the caller at any depth.
    /// Records the stack position of the caller.
    @inline(never)
    public func read() {
        var local = 0
        let place = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        bounds.withLock { bounds in
            bounds.lowest = min(bounds.lowest, place)
            bounds.highest = max(bounds.highest, place)
        }
    }

    /// The number of bytes between the deepest frame and the outermost one.
    public var growth: UInt {
        bounds.withLock { $0.highest > $0.lowest ? $0.highest - $0.lowest : 0 }
    }
}
