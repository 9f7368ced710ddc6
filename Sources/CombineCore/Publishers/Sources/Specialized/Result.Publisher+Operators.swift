extension Result.Publisher where Success: Equatable {
    /// Whether the value equals `output`.
    @inlinable
    public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map { $0 == output })
    }

    /// The publisher itself.
    @inlinable
    public func removeDuplicates() -> Self {
        self
    }
}

extension Result.Publisher where Success: Comparable {
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

extension Result.Publisher {
    /// Whether the value satisfies `predicate`, which runs now.
    @inlinable
    public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map(predicate))
    }

    /// Whether the value satisfies `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Whether the value satisfies `predicate`, which runs now.
    @inlinable
    public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map(predicate))
    }

    /// Whether the value satisfies `predicate`, which runs now; fails with what it throws.
    @inlinable
    public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// The value in an array.
    @inlinable
    public func collect() -> Result<[Success], Failure>.Publisher {
        Result<[Success], Failure>.Publisher(result.map { [$0] })
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func min(by areInIncreasingOrder: (Success, Success) -> Bool) -> Self {
        self
    }

    /// The value, compared to itself now; fails with what `areInIncreasingOrder` throws.
    @inlinable
    public func tryMin(
        by areInIncreasingOrder: (Success, Success) throws
            -> Bool
    ) -> Result<Success, any Error>.Publisher {
        tryMap {
            _ = try areInIncreasingOrder($0, $0)
            return $0
        }
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func max(by areInIncreasingOrder: (Success, Success) -> Bool) -> Self {
        self
    }

    /// The value, compared to itself now; fails with what `areInIncreasingOrder` throws.
    @inlinable
    public func tryMax(
        by areInIncreasingOrder: (Success, Success) throws
            -> Bool
    ) -> Result<Success, any Error>.Publisher {
        tryMap {
            _ = try areInIncreasingOrder($0, $0)
            return $0
        }
    }

    /// One.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(result.map { _ in 1 })
    }

    /// The publisher itself.
    @inlinable
    public func first() -> Self {
        self
    }

    /// The publisher itself.
    @inlinable
    public func last() -> Self {
        self
    }

    /// A publisher that only finishes, even if this one fails.
    @inlinable
    public func ignoreOutput() -> Empty<Success, Failure> {
        Empty()
    }

    /// What `transform`, which runs now, makes of the value.
    @inlinable
    public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        Result<T, Failure>.Publisher(result.map(transform))
    }

    /// What `transform`, which runs now, makes of the value; fails with what it throws.
    @inlinable
    public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try transform(result.get()) })
    }

    /// Fails with what `transform`, which runs now, makes of the error.
    @inlinable
    public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
        Result<Success, E>.Publisher(result.mapError(transform))
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; fails with what it throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Success) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// The publisher itself; there is nothing to compare.
    @inlinable
    public func removeDuplicates(by predicate: (Success, Success) -> Bool) -> Self {
        self
    }

    /// The value, compared to itself now; fails with what `predicate` throws.
    @inlinable
    public func tryRemoveDuplicates(
        by predicate: (Success, Success) throws
            -> Bool
    ) -> Result<Success, any Error>.Publisher {
        tryMap {
            _ = try predicate($0, $0)
            return $0
        }
    }

    /// The value, or `output` in place of the error.
    @inlinable
    public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        switch result {
        case .success(let value): Result<Success, Never>.Publisher(.success(value))
        case .failure: Result<Success, Never>.Publisher(.success(output))
        }
    }

    /// The publisher itself, which is never empty.
    @inlinable
    public func replaceEmpty(with output: Success) -> Self {
        self
    }

    /// The publisher itself, which would fail again.
    @inlinable
    public func retry(_ times: Int) -> Self {
        self
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// What `nextPartialResult`, which runs now, makes of `initialResult` and the value; fails with what it throws.
    @inlinable
    public func tryScan<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Success) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }
}

extension Result.Publisher where Failure == Never {
    /// Gives the stream a failure type, so that it fits streams that can fail.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Success, E>.Publisher {
        switch result {
        case .success(let value): Result<Success, E>.Publisher(.success(value))
        }
    }
}
