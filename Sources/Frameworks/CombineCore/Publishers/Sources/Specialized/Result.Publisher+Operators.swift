// These operators run when they are applied, as Apple's do, not when a subscriber arrives: the result is known, so the
// stream needs no conduit for them.

extension Result.Publisher where Success: Equatable {
    /// Returns a publisher that reports whether the value equals `output`.
    @inlinable
    public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map { $0 == output })
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func removeDuplicates() -> Self {
        self
    }
}

extension Result.Publisher where Success: Comparable {
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

extension Result.Publisher {
    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately.
    @inlinable
    public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map(predicate))
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately.
    @inlinable
    public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
        Result<Bool, Failure>.Publisher(result.map(predicate))
    }

    /// Returns a publisher that reports whether the value satisfies `predicate`, which runs immediately. It fails if
    /// `predicate` throws.
    @inlinable
    public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        tryMap(predicate)
    }

    /// Returns a publisher of an array with the value.
    @inlinable
    public func collect() -> Result<[Success], Failure>.Publisher {
        Result<[Success], Failure>.Publisher(result.map { [$0] })
    }

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func min(by areInIncreasingOrder: (Success, Success) -> Bool) -> Self {
        self
    }

    /// Returns a publisher of the value. It fails if `areInIncreasingOrder` throws. The closure runs immediately, with
    /// the value as both arguments.
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

    /// Returns this publisher unchanged. `areInIncreasingOrder` is never called.
    @inlinable
    public func max(by areInIncreasingOrder: (Success, Success) -> Bool) -> Self {
        self
    }

    /// Returns a publisher of the value. It fails if `areInIncreasingOrder` throws. The closure runs immediately, with
    /// the value as both arguments.
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

    /// Returns a publisher of the number one.
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher {
        Result<Int, Failure>.Publisher(result.map { _ in 1 })
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func first() -> Self {
        self
    }

    /// Returns this publisher unchanged.
    @inlinable
    public func last() -> Self {
        self
    }

    /// Returns a publisher that delivers no value and finishes, even if this publisher fails.
    @inlinable
    public func ignoreOutput() -> Empty<Success, Failure> {
        Empty()
    }

    /// Returns a publisher of the result of `transform`, which runs immediately.
    @inlinable
    public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
        Result<T, Failure>.Publisher(result.map(transform))
    }

    /// Returns a publisher of the result of `transform`, which runs immediately. It fails if `transform` throws.
    @inlinable
    public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
        Result<T, any Error>.Publisher(Result<T, any Error> { try transform(result.get()) })
    }

    /// Returns a publisher that fails with the error converted by `transform`, which runs immediately.
    @inlinable
    public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
        Result<Success, E>.Publisher(result.mapError(transform))
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately.
    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately; the publisher fails if it throws.
    @inlinable
    public func tryReduce<T>(
        _ initialResult: T,
        _ nextPartialResult: (T, Success) throws
            -> T
    ) -> Result<T, any Error>.Publisher {
        tryMap { try nextPartialResult(initialResult, $0) }
    }

    /// Returns this publisher unchanged. `predicate` is never called.
    @inlinable
    public func removeDuplicates(by predicate: (Success, Success) -> Bool) -> Self {
        self
    }

    /// Returns a publisher of the value. It fails if `predicate` throws. The closure runs immediately, with the value
    /// as both arguments.
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

    /// Returns a publisher of the value, or of `output` in place of the error.
    @inlinable
    public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
        switch result {
        case .success(let value): Result<Success, Never>.Publisher(.success(value))
        case .failure: Result<Success, Never>.Publisher(.success(output))
        }
    }

    /// Returns this publisher unchanged, because it is never empty.
    @inlinable
    public func replaceEmpty(with output: Success) -> Self {
        self
    }

    /// Returns this publisher unchanged, because another attempt would have the same result.
    @inlinable
    public func retry(_ times: Int) -> Self {
        self
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately.
    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
        map { nextPartialResult(initialResult, $0) }
    }

    /// Returns a publisher of the result of `nextPartialResult` for `initialResult` and the value. The closure runs
    /// immediately; the publisher fails if it throws.
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
    /// Returns a publisher with a failure type, so that it can be combined with publishers that can fail.
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Success, E>.Publisher {
        switch result {
        case .success(let value): Result<Success, E>.Publisher(.success(value))
        }
    }
}
