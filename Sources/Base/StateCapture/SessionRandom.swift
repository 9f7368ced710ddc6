import Locking

/// The random numbers of a session: a series that depends on a seed only, and that continues where it was when the
/// machine was captured. May be used from any thread.
public final class SessionRandom: StatefulPart, RandomNumberGenerator, Sendable {
    /// A position in a series.
    public struct PartState: Codable, Sendable {
        /// The seed of the series.
        var seed: UInt64
        /// The number of values that were drawn.
        var drawn: UInt64
    }

    /// The name of the part.
    public static var partName: StaticString { "random" }

    private let state: Lock<PartState>

    init(seed: UInt64) {
        state = Lock(PartState(seed: seed, drawn: 0))
    }

    /// Returns the next number: SplitMix64, which reaches each position of its series without the ones before it.
    public func next() -> UInt64 {
        let position = state.withLock { state in
            state.drawn &+= 1
            return SeededGenerator.state(state.seed, after: state.drawn)
        }
        return SeededGenerator.number(at: position)
    }

    /// The position in the series.
    public var partState: PartState? { state.withLock { $0 } }

    /// Continues a stored series. Called again after the wiring, because the factory has drawn the numbers that it drew
    /// before the machine was captured.
    public func restore(_ stored: PartState?) {
        if let stored { state.withLock { $0 = stored } }
    }
}
