import ComposableArchitecture
public import Testing

/// A trait that runs the tasks of a test, or of each test of a suite, on the main queue, one after the other.
///
/// Tests that run at the same time are affected too: add `.serialized` to a suite that depends on the order of tasks.
public struct MainSerialExecutorTrait: SuiteTrait, TestTrait, TestScoping {
    /// True: the trait of a suite applies to the suites in it.
    public var isRecursive: Bool { true }

    /// Runs a test with `withMainSerialExecutor`.
    ///
    /// - Throws: The error of the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withMainSerialExecutor { try await function() }
    }
}

extension Trait where Self == MainSerialExecutorTrait {
    /// Runs tasks on the main queue, one after the other, so that their order is the same in each run.
    public static var mainSerialExecutor: MainSerialExecutorTrait { MainSerialExecutorTrait() }
}
