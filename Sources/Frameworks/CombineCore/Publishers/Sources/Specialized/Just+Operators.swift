// These operators run when they are applied, as Apple's do, not when a subscriber arrives: the value is known, so the
// stream needs no conduit for them.

extension Just where Output: Comparable {
    /// Returns this publisher unchanged.
    @inlinable
    public func min() -> Just<Output> {
        self
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func max() -> Just<Output> {
        self
    }
}

extension Just where Output: Equatable {
    /// Returns a publisher that reports whether the value equals `output`.
    @inlinable
    public func contains(_ output: Output) -> Just<Bool> {
        Just<Bool>(self.output == output)
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func removeDuplicates() -> Just<Output> {
        self
    }
}

extension Just {
    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately.
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
        Just<Bool>(predicate(output))
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Returns a publisher of an array with the value.
    @inlinable
    public func collect() -> Just<[Output]> {
        Just<[Output]>([output])
    }

    /// Returns a publisher of the result of `transform`, which runs immediately.
    @inlinable
    public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
        Optional<T>.Publisher(transform(output))
    }

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// Returns a publisher that delivers `elements` before the value.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: elements + [output])
    }

    /// Returns a publisher that delivers `elements` before the value.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
        Publishers.Sequence(sequence: elements + [output])
    }

    /// Returns a publisher that delivers `elements` after the value.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Returns a publisher that delivers `elements` after the value.
    @inlinable
    public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately.
    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
        Just<Bool>(predicate(output))
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Returns a publisher of the number one.
    @inlinable
    public func count() -> Just<Int> {
        Just<Int>(1)
    }

    /// Returns an empty publisher, unless `count` is zero. A negative count traps.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
        Optional.Publisher(output).dropFirst(count)
    }

    /// Returns a publisher of the value. It is empty if the value satisfies `predicate`. The closure runs immediately.
    @inlinable
    public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        Optional.Publisher(output).drop(while: predicate)
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func first() -> Just<Output> {
        self
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func last() -> Just<Output> {
        self
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Returns a publisher of the value. It is empty unless `isIncluded` returns true. The closure runs immediately.
    @inlinable
    public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
        Optional.Publisher(isIncluded(output) ? output : nil)
    }

    /// Returns a publisher that delivers no value and finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Output, Never> {
        Empty()
    }

    /// Returns a publisher of the result of `transform`, which runs immediately.
    @inlinable
    public func map<T>(_ transform: (Output) -> T) -> Just<T> {
        Just<T>(transform(output))
    }

    /// Returns a publisher of the result of `transform`, which runs immediately. It fails if `transform` throws.
    @inlinable
    public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try transform(output) })
    }

    /// Returns a publisher with another failure type. `transform` never runs.
    @inlinable
    public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
        Result<Output, E>.Publisher(.success(output))
    }

    /// Returns a publisher of the value. It is empty unless `index` is zero. A negative index traps.
    @inlinable
    public func output(at index: Int) -> Optional<Output>.Publisher {
        Optional.Publisher(output).output(at: index)
    }

    // As in Combine, which looks at nothing but the lower bound: the empty range `0..<0` has the value, and `-1..<2` has none.
    /// Returns a publisher of the value. It is empty unless `range` begins with zero.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
        Optional.Publisher(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
    }

    /// Returns a publisher of the value. It is empty if `maxLength` is zero. A negative length traps.
    @inlinable
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
        Optional.Publisher(output).prefix(maxLength)
    }

    /// Returns a publisher of the value. It is empty unless the value satisfies `predicate`. The closure runs
    /// immediately.
    @inlinable
    public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        Result<T, Never>.Publisher(.success(nextPartialResult(initialResult, output)))
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately; the publisher fails if it throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Output) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// Returns this publisher unchanged. `predicate` is never called.
    @inlinable
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// Returns a publisher of the value. It fails if `predicate` throws. The closure runs immediately, with the value
    /// as both arguments.
    @inlinable
    public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws
            -> Bool
    ) -> Result<Output, any Error>.Publisher {
        tryMap {
            _ = try predicate($0, $0)
            return $0
        }
    }

    /// Returns this publisher unchanged, because it cannot fail.
    @inlinable
    public func replaceError(with output: Output) -> Just<Output> {
        self
    }

    /// Returns this publisher unchanged, because it is never empty.
    @inlinable
    public func replaceEmpty(with output: Output) -> Just<Output> {
        self
    }

    /// Returns this publisher unchanged, because it cannot fail.
    @inlinable
    public func retry(_ times: Int) -> Just<Output> {
        self
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        reduce(initialResult, nextPartialResult)
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately; the publisher fails if it throws.
    @inlinable
    public func tryScan<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Output) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// Returns a publisher with a failure type, so that it can be combined with publishers that can fail.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result<Output, E>.Publisher(.success(output))
    }
}
