extension Optional.Publisher where Wrapped: Equatable {
    /// Whether the value equals `output`; nothing if there is no value.
    @inlinable
    public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(self.output.map { $0 == output })
    }

    /// The publisher itself.
    @inlinable
    public func removeDuplicates() -> Self {
        self
    }
}

extension Optional.Publisher where Wrapped: Comparable {
    /// The publisher itself.
    @inlinable
    public func min() -> Self {
        self
    }

    /// The publisher itself.
    @inlinable
    public func max() -> Self {
        self
    }
}

extension Optional.Publisher {
    /// Whether the value satisfies `predicate`, which runs now; nothing if there is no value.
    @inlinable
    public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(output.map(predicate))
    }

    /// The value in an array, which is empty if there is no value.
    @inlinable
    public func collect() -> Optional<[Wrapped]>.Publisher {
        Optional<[Wrapped]>.Publisher(output.map { [$0] } ?? [])
    }

    /// What `transform`, which runs now, makes of the value.
    @inlinable
    public func compactMap<T>(_ transform: (Wrapped) -> T?) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.flatMap(transform))
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func min(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func max(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// Whether the value satisfies `predicate`, which runs now; nothing if there is no value.
    @inlinable
    public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(output.map(predicate))
    }

    /// One, or nothing if there is no value.
    @inlinable
    public func count() -> Optional<Int>.Publisher {
        Optional<Int>.Publisher(output.map { _ in 1 })
    }

    /// Nothing, unless `count` is zero; a negative count traps.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Self {
        precondition(count >= 0, "The number of values to leave out cannot be negative, but is \(count).")
        return count == 0 ? self : Self(nil)
    }

    /// The value, unless it satisfies `predicate`, which runs now.
    @inlinable
    public func drop(while predicate: (Wrapped) -> Bool) -> Self {
        Self(output.flatMap { predicate($0) ? nil : $0 })
    }

    /// The publisher itself.
    @inlinable
    public func first() -> Self {
        self
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func first(where predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// The publisher itself.
    @inlinable
    public func last() -> Self {
        self
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func last(where predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// The value, if `isIncluded`, which runs now, says yes.
    @inlinable
    public func filter(_ isIncluded: (Wrapped) -> Bool) -> Self {
        Self(output.flatMap { isIncluded($0) ? $0 : nil })
    }

    /// A publisher that only finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Wrapped, Never> {
        Empty()
    }

    /// What `transform`, which runs now, makes of the value.
    @inlinable
    public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map(transform))
    }

    /// The value, if `index` is zero; a negative index traps.
    @inlinable
    public func output(at index: Int) -> Self {
        precondition(index >= 0, "A position cannot be negative, but is \(index).")
        return index == 0 ? self : Self(nil)
    }

    /// The value, if `range` contains position zero; a negative position traps.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Self where R.Bound == Int {
        let positions = range.relative(to: 0..<Int.max)
        precondition(positions.lowerBound >= 0, "A position cannot be negative, but is \(positions.lowerBound).")
        return positions.contains(0) ? self : Self(nil)
    }

    /// The value, unless `maxLength` is zero; a negative length traps.
    @inlinable
    public func prefix(_ maxLength: Int) -> Self {
        precondition(maxLength >= 0, "A length cannot be negative, but is \(maxLength).")
        return maxLength > 0 ? self : Self(nil)
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func prefix(while predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; nothing if there is no value.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map { nextPartialResult(initialResult, $0) })
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func removeDuplicates(by predicate: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// The publisher itself, which cannot fail.
    @inlinable
    public func replaceError(with output: Wrapped) -> Self {
        self
    }

    /// The value, or `output` if there is none.
    @inlinable
    public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> {
        Just(self.output ?? output)
    }

    /// The publisher itself, which cannot fail.
    @inlinable
    public func retry(_ times: Int) -> Self {
        self
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; nothing if there is no value.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map { nextPartialResult(initialResult, $0) })
    }
}
