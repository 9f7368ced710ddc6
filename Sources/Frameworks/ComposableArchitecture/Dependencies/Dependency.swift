import CombineCore
import IssueReporting

/// A property wrapper that reads a dependency of a reducer.
///
/// `@Dependency(\.numberFact) var numberFact` reads the value at the time of access. Values that were overridden when
/// the property was created also apply, unless they have been overridden since.
@propertyWrapper
public struct Dependency<Value>: @unchecked Sendable {
    // Sendable because the stored closure only reads an immutable key path. `DependencyValues` states its own reason.
    private let initial: DependencyValues?
    private let read: (DependencyValues) -> Value
    private let place: IssuePlace

    /// Creates a property that reads the dependency at a key path.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the dependency.
    ///   - fileID: The file that a missing value is attributed to.
    ///   - filePath: The path of the file.
    ///   - line: The line that a missing value is attributed to.
    ///   - column: The column that a missing value is attributed to.
    public init(
        _ keyPath: KeyPath<DependencyValues, Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init(at: IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)) {
            $0[keyPath: keyPath]
        }
    }

    /// Creates a property that reads the dependency of a key.
    ///
    /// - Parameters:
    ///   - key: The key of the dependency.
    ///   - fileID: The file that a missing value is attributed to.
    ///   - filePath: The path of the file.
    ///   - line: The line that a missing value is attributed to.
    ///   - column: The column that a missing value is attributed to.
    public init<Key: TestDependencyKey>(
        _ key: Key.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where Key.Value == Value {
        self.init(at: IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)) { $0[key] }
    }

    /// Creates a property that reads the dependency at a key path, of which a test knows the concrete type.
    ///
    /// The program ends if the dependency has another type.
    ///
    /// - Parameters:
    ///   - keyPath: The key path of the dependency.
    ///   - type: The concrete type.
    ///   - fileID: The file that a missing value is attributed to.
    ///   - filePath: The path of the file.
    ///   - line: The line that a missing value is attributed to.
    ///   - column: The column that a missing value is attributed to.
    public init<Base>(
        _ keyPath: KeyPath<DependencyValues, Base>, as type: Value.Type, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(at: IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)) {
            Self.concrete($0[keyPath: keyPath])
        }
    }

    /// Creates a property that reads the dependency of a key, of which a test knows the concrete type.
    ///
    /// The program ends if the dependency has another type.
    ///
    /// - Parameters:
    ///   - key: The key of the dependency.
    ///   - type: The concrete type.
    ///   - fileID: The file that a missing value is attributed to.
    ///   - filePath: The path of the file.
    ///   - line: The line that a missing value is attributed to.
    ///   - column: The column that a missing value is attributed to.
    public init<Key: TestDependencyKey>(
        _ key: Key.Type, as type: Value.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init(at: IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)) {
            Self.concrete($0[key])
        }
    }

    private init(at place: IssuePlace, reading read: @escaping (DependencyValues) -> Value) {
        initial = DependencyValues.bound ?? (MainContext.isSubstituted ? .escaping : nil)
        self.read = read
        self.place = place
    }

    private static func concrete<Base>(_ value: Base) -> Value {
        guard let concrete = value as? Value else {
            preconditionFailure("Expected the dependency to be a \(Value.self), got a \(type(of: value as Any))")
        }
        return concrete
    }

    /// The current value of the dependency.
    public var wrappedValue: Value {
        guard let bound = DependencyValues.bound else { return value(of: initial ?? .current) }
        return value(of: initial.map { $0.merging(bound) } ?? bound)
    }

    private func value(of values: DependencyValues) -> Value {
        guard isTesting, IssuePlace.chosen == nil else { return read(values) }
        // The creation of a default value may fail the test.
        return IssuePlace.$chosen.withValue(place) { read(values) }
    }
}

/// A property that knows the dependencies that applied when it was created.
protocol DependencyHolder {
    /// The dependencies; nil if none were overridden, and outside of hosted sessions.
    var initialValues: DependencyValues? { get }
}

extension Dependency: DependencyHolder {
    var initialValues: DependencyValues? { initial }
}
