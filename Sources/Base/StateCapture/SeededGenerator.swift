/// A generator of random numbers that returns the same sequence for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 {
        state = SeededGenerator.state(state, after: 1)
        return SeededGenerator.number(at: state)
    }

    /// Returns the state after a number of steps.
    static func state(_ state: UInt64, after steps: UInt64) -> UInt64 {
        state &+ steps &* 0x9E37_79B9_7F4A_7C15
    }

    /// Returns the number that belongs to a state.
    static func number(at state: UInt64) -> UInt64 {
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
