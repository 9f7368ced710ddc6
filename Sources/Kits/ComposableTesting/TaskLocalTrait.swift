public import Testing

/// A trait that sets a task-local value for a test, or for each test of a suite.
public struct TaskLocalTrait<Value: Sendable>: SuiteTrait, TestTrait, TestScoping {
    fileprivate let local: TaskLocal<Value>
    fileprivate let value: Value

    /// True: the trait of a suite applies to the suites in it.
    public var isRecursive: Bool { true }

    /// Runs a test with the value.
    ///
    /// - Throws: The error of the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await local.withValue(value) { try await function() }
    }
}

extension Trait {
    /// Sets a task-local value: `@Suite(.taskLocal(Request.$id, 42))`.
    public static func taskLocal<Value>(_ local: TaskLocal<Value>, _ value: Value) -> Self
    where Self == TaskLocalTrait<Value> {
        TaskLocalTrait(local: local, value: value)
    }
}

extension TaskLocal {
    /// Returns a trait that sets the value for tests: `@Suite(Request.$id.set(42))`.
    public func set(_ value: Value) -> TaskLocalTrait<Value> {
        .taskLocal(self, value)
    }
}
