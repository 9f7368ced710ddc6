/// Runs `operation` with overridden dependencies, which its tasks inherit.
///
/// An object that the operation returns keeps the dependencies for `withDependencies(from:)`.
@discardableResult
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    var values = DependencyValues.current
    try values.override(update)
    return try values.run(operation)
}

/// Runs `operation` with overridden dependencies, which its tasks inherit.
///
/// An object that the operation returns keeps the dependencies for `withDependencies(from:)`.
@discardableResult
public func withDependencies<Result>(
    isolation: isolated (any Actor)? = #isolation, _ update: (inout DependencyValues) async throws -> Void,
    operation: () async throws -> Result
) async rethrows -> Result {
    var values = DependencyValues.current
    try await DependencyValues.$isOverriding.withValue(true) { try await update(&values) }
    return try await values.run(operation)
}

/// Runs `operation` with the dependencies that applied when an object was created, and overrides, so that a child gets those of its
/// parent.
///
/// - Parameters:
///   - model: The object. It has properties with ``Dependency``, or was returned from an operation of
///     ``withDependencies(_:operation:)`` outside of a hosted session. Otherwise the dependencies of the caller apply, and an issue is
///     reported.
///   - update: Overrides dependencies.
///   - operation: The code, for example one that creates a child.
///   - file: The file that the issue is attributed to.
///   - line: The line that the issue is attributed to.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result,
    file: StaticString = #fileID, line: UInt = #line
) rethrows -> Result {
    var values = ModelDependencies.values(of: model, file: file, line: line)
    try values.override(update)
    return try values.run(operation)
}

/// Runs `operation` with the dependencies that applied when an object was created, so that a child gets those of its parent.
///
/// - Parameters:
///   - model: The object. It has properties with ``Dependency``, or was returned from an operation of
///     ``withDependencies(_:operation:)`` outside of a hosted session. Otherwise the dependencies of the caller apply, and an issue is
///     reported.
///   - operation: The code, for example one that creates a child.
///   - file: The file that the issue is attributed to.
///   - line: The line that the issue is attributed to.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, operation: () throws -> Result, file: StaticString = #fileID, line: UInt = #line
) rethrows -> Result {
    try ModelDependencies.values(of: model, file: file, line: line).run(operation)
}

/// Runs `operation` with the dependencies that applied when an object was created, and overrides, so that a child gets those of its
/// parent.
///
/// - Parameters:
///   - model: The object. It has properties with ``Dependency``, or was returned from an operation of
///     ``withDependencies(_:operation:)`` outside of a hosted session. Otherwise the dependencies of the caller apply, and an issue is
///     reported.
///   - isolation: The actor of the caller, on which the code runs.
///   - update: Overrides dependencies.
///   - operation: The code, for example one that creates a child.
///   - file: The file that the issue is attributed to.
///   - line: The line that the issue is attributed to.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, isolation: isolated (any Actor)? = #isolation,
    _ update: (inout DependencyValues) async throws -> Void, operation: () async throws -> Result,
    file: StaticString = #fileID, line: UInt = #line
) async rethrows -> Result {
    var values = ModelDependencies.values(of: model, file: file, line: line)
    try await DependencyValues.$isOverriding.withValue(true) { try await update(&values) }
    return try await values.run(operation)
}

/// Runs `operation` with the dependencies that applied when an object was created, so that a child gets those of its parent.
///
/// - Parameters:
///   - model: The object. It has properties with ``Dependency``, or was returned from an operation of
///     ``withDependencies(_:operation:)`` outside of a hosted session. Otherwise the dependencies of the caller apply, and an issue is
///     reported.
///   - isolation: The actor of the caller, on which the code runs.
///   - operation: The code, for example one that creates a child.
///   - file: The file that the issue is attributed to.
///   - line: The line that the issue is attributed to.
@discardableResult
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result,
    file: StaticString = #fileID, line: UInt = #line
) async rethrows -> Result {
    try await ModelDependencies.values(of: model, file: file, line: line).run(operation)
}

/// Runs `operation` with a continuation that restores the dependencies of the caller in closures that outlive it.
///
/// ```swift
/// withEscapedDependencies { dependencies in
///     queue.async { dependencies.yield { refresh() } }
/// }
/// ```
@discardableResult
public func withEscapedDependencies<Result>(
    _ operation: (DependencyValues.Continuation) throws -> Result
) rethrows -> Result {
    try operation(DependencyValues.Continuation())
}

/// Runs `operation` with a continuation that restores the dependencies of the caller in closures that outlive it.
@discardableResult
public func withEscapedDependencies<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: (DependencyValues.Continuation) async throws -> Result
) async rethrows -> Result {
    try await operation(DependencyValues.Continuation())
}

extension DependencyValues {
    /// The dependencies of the code that created the continuation, for closures that run elsewhere later.
    public struct Continuation: Sendable {
        private let values = DependencyValues.escaping

        /// Runs `operation` with the dependencies. In a hosted session, it sees the shared values of that session.
        @discardableResult
        public func yield<Result>(_ operation: () throws -> Result) rethrows -> Result {
            try values.run(operation)
        }

        /// Runs `operation` with the dependencies.
        @discardableResult
        public func yield<Result>(
            isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
        ) async rethrows -> Result {
            try await values.run(operation)
        }
    }

    /// Runs code to which these values apply.
    fileprivate func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try DependencyValues.$bound.withValue(self) {
            let result = try operation()
            if Result.self is AnyClass { ModelDependencies.keep(self, for: result as AnyObject) }
            return result
        }
    }

    /// Runs code to which these values apply.
    fileprivate func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
    ) async rethrows -> Result {
        try await DependencyValues.$bound.withValue(self) {
            let result = try await operation()
            if Result.self is AnyClass { ModelDependencies.keep(self, for: result as AnyObject) }
            return result
        }
    }
}
