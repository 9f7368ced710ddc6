extension Publisher {
    /// Publishes the value at the zero-based position `index` and finishes. Traps if `index` is negative.
    @inlinable
    public func output(at index: Int) -> Publishers.Output<Self> {
        output(in: index...index)
    }

    /// Publishes the values at the zero-based positions in `range` and finishes. Traps if a position is negative.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        // A partial range such as `2...` ends at `Int.max`, which no stream reaches.
        Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
    }
}
