import CombineCore
import FoundationEssentials
import IssueReporting

/// A key for a dependency, with its value in tests.
public protocol TestDependencyKey {
    /// The type of the dependency.
    associatedtype Value = Self
    /// The value in tests. It should fail the test when it is used.
    static var testValue: Value { get }
    /// The value in previews. Defaults to another value of the key.
    static var previewValue: Value { get }
}

/// A key for a dependency, with its value in production.
///
/// The value for a key is created on first access: for each hosted session, for each test, and otherwise for the process. If a key has no
/// `testValue`, a test fails when it uses the dependency without overriding it.
public protocol DependencyKey: TestDependencyKey {
    /// The type of the dependency.
    associatedtype Value = Self
    /// The value in production.
    static var liveValue: Value { get }
    /// The value in previews. Defaults to the value in production.
    static var previewValue: Value { get }
    /// The value in tests. Defaults to the value in previews, with an issue.
    static var testValue: Value { get }
}

extension TestDependencyKey {
    /// The test value.
    public static var previewValue: Value { testValue }
}

extension DependencyKey {
    /// The production value.
    public static var previewValue: Value { liveValue }

    /// The value in previews. Reports an issue, because the test did not override the dependency.
    public static var testValue: Value {
        // A part of the value that a test overrides is changed in it.
        guard !DependencyValues.isOverriding else { return previewValue }
        MissingDependency.report(
            "a test used \(Self.self), which has no value for tests: add a testValue, or override the dependency in "
                + "the test")
        return previewValue
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

extension DependencyContext {
    /// The environment of the calling code.
    static var inferred: DependencyContext {
        // A machine behaves in the host of a test as in a server.
        ofProcess == .test && MainContext.isSubstituted ? .live : ofProcess
    }

    private static let ofProcess: DependencyContext = {
        let inferred = isTesting ? DependencyContext.test : .live
        guard let name = ProcessInfo.processInfo.environment["SWIFT_DEPENDENCIES_CONTEXT"] else { return inferred }
        guard let chosen = DependencyContext(named: name) else {
            Issues.report("expected SWIFT_DEPENDENCIES_CONTEXT to be live, preview or test, got \"\(name)\"")
            return inferred
        }
        return chosen
    }()

    init?(named name: String) {
        switch name {
        case "live": self = .live
        case "preview": self = .preview
        case "test": self = .test
        default: return nil
        }
    }
}
