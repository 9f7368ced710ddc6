/// What a dependency is found by, with the value that tests get.
public protocol TestDependencyKey {
    /// The type of the dependency.
    associatedtype Value
    /// The value in tests; best one that fails the test when it is used.
    static var testValue: Value { get }
    /// The value in previews.
    static var previewValue: Value { get }
}

/// What a dependency is found by, with the value that production gets.
///
/// Each root store has one value of its own for each key, made when it is first asked for. A key without a `testValue`
/// fails a test that uses the dependency without having replaced it.
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
    /// The value of production.
    public static var previewValue: Value { liveValue }

    /// The value of production, and a report that the test did not replace it.
    public static var testValue: Value {
        Issues.report(
            "\(Self.self) has no value for tests, and a test used it: give it a testValue, or replace the dependency in "
                + "the test")
        return liveValue
    }
}

/// Where a dependency is used.
public enum DependencyContext: Sendable {
    /// In production.
    case live
    /// In a preview.
    case preview
    /// In a test.
    case test
}
