public import ComposableArchitecture
public import Testing

/// A trait that overrides dependencies for a test, or for each test of a suite.
///
/// The outermost of them begins with new dependencies, so that tests, and the arguments of one test, share none.
public struct DependencyTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var isInScope = false

    private let update: @Sendable (inout DependencyValues) throws -> Void

    fileprivate init(_ update: @escaping @Sendable (inout DependencyValues) throws -> Void) {
        self.update = update
    }

    /// True: the trait of a suite applies to the suites in it.
    public var isRecursive: Bool { true }

    /// Runs a test with the dependencies.
    ///
    /// - Throws: The errors of the overrides and of the test.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withDependencies {
            if !DependencyTrait.isInScope { $0 = .test }
            try update(&$0)
        } operation: {
            try await DependencyTrait.$isInScope.withValue(true) { try await function() }
        }
    }
}

extension Trait where Self == DependencyTrait {
    /// Gives each test dependencies of its own.
    public static var dependencies: DependencyTrait { DependencyTrait { _ in } }

    /// Overrides dependencies.
    ///
    /// ```swift
    /// @Test(.dependencies { $0.continuousClock = ImmediateClock() })
    /// func countdown() async { … }
    /// ```
    public static func dependencies(
        _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
    ) -> DependencyTrait {
        DependencyTrait(update)
    }

    /// Overrides the dependency at a key path.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the dependency.
    ///   - value: The value, which each test creates anew.
    public static func dependency<Value>(
        _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
        _ value: @autoclosure @escaping @Sendable () throws -> Value
    ) -> DependencyTrait {
        DependencyTrait { $0[keyPath: keyPath] = try value() }
    }

    /// Overrides the dependency whose key is the type of the value.
    ///
    /// - Parameter value: The value, which each test creates anew.
    public static func dependency<Value: TestDependencyKey & SendableMetatype>(
        _ value: @autoclosure @escaping @Sendable () throws -> Value
    ) -> DependencyTrait where Value.Value == Value {
        DependencyTrait { $0[Value.self] = try value() }
    }
}
