/// A key for a dependency, with its value in tests.
public protocol TestDependencyKey {
    /// The type of the dependency.
    associatedtype Value
    /// The value in tests. It should fail the test when it is used.
    static var testValue: Value { get }
    /// The value in previews. Defaults to another value of the key.
    static var previewValue: Value { get }
}

/// A key for a dependency, with its value in production.
///
/// Each root store creates its own value for a key on first access. If a key has no `testValue`, a test fails when it
/// uses the dependency without overriding it.
public protocol DependencyKey: TestDependencyKey {
    /// The type of the dependency.
    associatedtype Value
    /// The value in production.
    static var liveValue: Value { get }
}

extension TestDependencyKey {
    /// The test value.
    public static var previewValue: Value { testValue }
}

extension DependencyKey {
    /// The production value.
    public static var previewValue: Value { liveValue }

    /// The production value. Reports an issue, because the test did not override the dependency.
    public static var testValue: Value {
        Issues.report(
            "a test used \(Self.self), which has no value for tests: add a testValue, or override the dependency in "
                + "the test")
        return liveValue
    }
}

/// The environment in which dependencies are used.
public enum DependencyContext: Sendable {
    /// Production.
    case live
    /// A preview.
    case preview
    /// A test.
    case test
}
