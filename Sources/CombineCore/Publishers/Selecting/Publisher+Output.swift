extension Publisher {
    /// Delivers the value at position `index`, counted from 0, and finishes; a negative index traps.
    @inlinable
    public func output(at index: Int) -> Publishers.Output<Self> {
        output(in: index...index)
    }

    /// Delivers the values at the positions in `range`, counted from 0, and finishes; a negative position traps.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
    }
}
