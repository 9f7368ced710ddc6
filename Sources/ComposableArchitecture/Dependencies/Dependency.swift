/// A property wrapper that reads a dependency of a reducer.
///
/// `@Dependency(\.numberFact) var numberFact` reads the value at the time of access. Values that were overridden when
/// the property was created also apply, unless they have been overridden since.
@propertyWrapper
public struct Dependency<Value>: @unchecked Sendable {
    // Sendable because the stored closure only reads an immutable key path. `DependencyValues` states its own reason.
    private let initial: DependencyValues?
    private let read: (DependencyValues) -> Value

    /// Creates a property that reads the dependency at a key path.
    public init(_ keyPath: KeyPath<DependencyValues, Value>) {
        initial = DependencyValues.bound
        read = { $0[keyPath: keyPath] }
    }

    /// Creates a property that reads the dependency of a key.
    public init<Key: TestDependencyKey>(_ key: Key.Type) where Key.Value == Value {
        initial = DependencyValues.bound
        read = { $0[key] }
    }

    /// The current value of the dependency.
    public var wrappedValue: Value {
        guard let bound = DependencyValues.bound else { return read(initial ?? .current) }
        return read(initial.map { $0.merging(bound) } ?? bound)
    }
}

/// A property that knows the dependencies that applied when it was created.
protocol DependencyHolder {
    /// The dependencies; nil if none were overridden.
    var initialValues: DependencyValues? { get }
}

extension Dependency: DependencyHolder {
    var initialValues: DependencyValues? { initial }
}
