extension Just where Output: Comparable {
    /// The publisher itself.
    @inlinable
    public func min() -> Just<Output> {
        self
    }

    /// The publisher itself.
    @inlinable
    public func max() -> Just<Output> {
        self
    }
}

extension Just where Output: Equatable {
    /// Whether the value equals `output`.
    @inlinable
    public func contains(_ output: Output) -> Just<Bool> {
        Just<Bool>(self.output == output)
    }

    /// The publisher itself.
    @inlinable
    public func removeDuplicates() -> Just<Output> {
        self
    }
}

extension Just {
    /// Whether the value satisfies `predicate`, which runs now.
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
        Just<Bool>(predicate(output))
    }

    /// Whether the value satisfies `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// The value in an array.
    @inlinable
    public func collect() -> Just<[Output]> {
        Just<[Output]>([output])
    }

    /// What `transform`, which runs now, makes of the value.
    @inlinable
    public func compactMap<T>(_ transform: (Output) -> T?) -> Optional<T>.Publisher {
        Optional<T>.Publisher(transform(output))
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// Delivers `elements` before the value.
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: elements + [output])
    }

    /// Delivers `elements` before the value.
    @inlinable
    public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
        Publishers.Sequence(sequence: elements + [output])
    }

    /// Delivers `elements` after the value.
    @inlinable
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Delivers `elements` after the value.
    @inlinable
    public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where Output == S.Element {
        Publishers.Sequence(sequence: [output] + elements)
    }

    /// Whether the value satisfies `predicate`, which runs now.
    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
        Just<Bool>(predicate(output))
    }

    /// Whether the value satisfies `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// One.
    @inlinable
    public func count() -> Just<Int> {
        Just<Int>(1)
    }

    /// Nothing, unless `count` is zero; a negative count traps.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
        Optional.Publisher(output).dropFirst(count)
    }

    /// The value, unless it satisfies `predicate`, which runs now.
    @inlinable
    public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        Optional.Publisher(output).drop(while: predicate)
    }

    /// The publisher itself.
    @inlinable
    public func first() -> Just<Output> {
        self
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// The publisher itself.
    @inlinable
    public func last() -> Just<Output> {
        self
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// The value, if `isIncluded`, which runs now, says yes.
    @inlinable
    public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
        Optional.Publisher(isIncluded(output) ? output : nil)
    }

    /// A publisher that only finishes.
    @inlinable
    public func ignoreOutput() -> Empty<Output, Never> {
        Empty()
    }

    /// What `transform`, which runs now, makes of the value.
    @inlinable
    public func map<T>(_ transform: (Output) -> T) -> Just<T> {
        Just<T>(transform(output))
    }

    /// What `transform`, which runs now, makes of the value; fails with what it throws.
    @inlinable
    public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try transform(output) })
    }

    /// Gives the stream another failure type; `transform` never runs.
    @inlinable
    public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
        Result<Output, E>.Publisher(.success(output))
    }

    /// The value, if `index` is zero; a negative index traps.
    @inlinable
    public func output(at index: Int) -> Optional<Output>.Publisher {
        Optional.Publisher(output).output(at: index)
    }

    /// The value, if `range` contains position zero; a negative position traps.
    @inlinable
    public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
        Optional.Publisher(output).output(in: range)
    }

    /// The value, unless `maxLength` is zero; a negative length traps.
    @inlinable
    public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
        Optional.Publisher(output).prefix(maxLength)
    }

    /// The value, if it satisfies `predicate`, which runs now.
    @inlinable
    public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
        filter(predicate)
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        Result<T, Never>.Publisher(.success(nextPartialResult(initialResult, output)))
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; fails with what it throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Output) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> {
        self
    }

    /// The value, compared to itself now; fails with what `predicate` throws.
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

    /// The publisher itself, which cannot fail.
    @inlinable
    public func replaceError(with output: Output) -> Just<Output> {
        self
    }

    /// The publisher itself, which is never empty.
    @inlinable
    public func replaceEmpty(with output: Output) -> Just<Output> {
        self
    }

    /// The publisher itself, which cannot fail.
    @inlinable
    public func retry(_ times: Int) -> Just<Output> {
        self
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        reduce(initialResult, nextPartialResult)
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; fails with what it throws.
    @inlinable
    public func tryScan<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Output) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// Gives the stream a failure type, so that it fits streams that can fail.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        Result<Output, E>.Publisher(.success(output))
    }
}
