// These operators run when they are applied, as Apple's do, not when a subscriber arrives: the value is known, so the
// stream needs no conduit for them.

extension Optional.Publisher where Wrapped: Equatable {
    /// Returns a publisher that reports whether the value equals `output`. It is empty if there is no value.
    @inlinable
    public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(self.output.map { $0 == output })
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func removeDuplicates() -> Self {
        self
    }
}

extension Optional.Publisher where Wrapped: Comparable {
    /// Returns this publisher unchanged.
    @inlinable
    public func min() -> Self {
        self
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func max() -> Self {
        self
    }
}

extension Optional.Publisher {
    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It is empty if
    /// there is no value.
    @inlinable
    public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(output.map(predicate))
    }

    /// Returns a publisher of an array with the value, or of an empty array if there is no value.
    @inlinable
    public func collect() -> Optional<[Wrapped]>.Publisher {
        Optional<[Wrapped]>.Publisher(output.map { [$0] } ?? [])
    }

    /// Returns a publisher of the result of `transform`, which runs immediately.
    @inlinable
    public func compactMap<T>(_ transform: (Wrapped) -> T?) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.flatMap(transform))
    }

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func min(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func max(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It is empty if
    /// there is no value.
    @inlinable
    public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
        Optional<Bool>.Publisher(output.map(predicate))
    }

    /// Returns a publisher of the number one. It is empty if there is no value.
    @inlinable
    public func count() -> Optional<Int>.Publisher {
        Optional<Int>.Publisher(output.map { _ in 1 })
    }

    /// Returns an empty publisher, unless `count` is zero. A negative count traps.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Self {
        precondition(count >= 0, "The number of values to omit must not be negative, got \(count).")
        return count == 0 ? self : Self(nil)
    }

    /// Returns a publisher of the value. It is empty if the value satisfies `predicate`. The closure runs immediately.
    @inlinable
    public func drop(while predicate: (Wrapped) -> Bool) -> Self {
        Self(output.flatMap { predicate($0) ? nil : $0 })
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func first() -> Self {
        self
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func first(where predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func last() -> Self {
        self
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func last(where predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// Returns a publisher of the value. It is empty unless `isIncluded` returns true. The closure runs immediately.
    @inlinable
    public func filter(_ isIncluded: (Wrapped) -> Bool) -> Self {
        Self(output.flatMap { isIncluded($0) ? $0 : nil })
    }

    /// Returns a publisher that delivers no value and finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Wrapped, Never> {
        Empty()
    }

    /// Returns a publisher of the result of `transform`, which runs immediately.
    @inlinable
    public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map(transform))
    }

    /// Returns a publisher of the value. It is empty unless `index` is zero. A negative index traps.
    @inlinable
    public func output(at index: Int) -> Self {
        precondition(index >= 0, "A position must not be negative, got \(index).")
        return index == 0 ? self : Self(nil)
    }

    /// Returns a publisher of the value. It is empty unless `range` contains zero. A negative position traps.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Self where R.Bound == Int {
        let positions = range.relative(to: 0..<Int.max)
        precondition(positions.lowerBound >= 0, "A position must not be negative, got \(positions.lowerBound).")
        return positions.contains(0) ? self : Self(nil)
    }

    /// Returns a publisher of the value. It is empty if `maxLength` is zero. A negative length traps.
    @inlinable
    public func prefix(_ maxLength: Int) -> Self {
        precondition(maxLength >= 0, "A length must not be negative, got \(maxLength).")
        return maxLength > 0 ? self : Self(nil)
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func prefix(while predicate: (Wrapped) -> Bool) -> Self {
        filter(predicate)
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. It is empty if there
    /// is no value. The closure runs immediately.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map { nextPartialResult(initialResult, $0) })
    }

    /// Returns this publisher unchanged. `predicate` is never called.
    @inlinable
    public func removeDuplicates(by predicate: (Wrapped, Wrapped) -> Bool) -> Self {
        self
    }

    /// Returns this publisher unchanged, because it cannot fail.
    @inlinable
    public func replaceError(with output: Wrapped) -> Self {
        self
    }

    /// Returns a publisher of the value, or of `output` if there is no value.
    @inlinable
    public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> {
        Just(self.output ?? output)
    }

    /// Returns this publisher unchanged, because it cannot fail.
    @inlinable
    public func retry(_ times: Int) -> Self {
        self
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. It is empty if there
    /// is no value. The closure runs immediately.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
        Optional<T>.Publisher(output.map { nextPartialResult(initialResult, $0) })
    }
}
