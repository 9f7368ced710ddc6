import Locking

/// Measures how far apart the stack frames are from which it is read, all on one thread.
public final class StackGauge: Sendable {
    private let bounds = Lock<(lowest: UInt, highest: UInt)>((.max, .min))

    /// Makes a gauge that has not been read.
    public init() {}

    /// Takes the caller's place on the stack into account.
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
