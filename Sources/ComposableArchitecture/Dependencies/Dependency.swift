/// A dependency of a reducer, found where it is used.
///
/// `@Dependency(\.numberFact) var numberFact` reads the value that holds when the property is read; values that were
/// replaced when the property was made, and not since, count as well.
@propertyWrapper
public struct Dependency<Value>: @unchecked Sendable {
    // Sendable because the key path never changes, and the values are handed over as they are.
    private let initial: DependencyValues?
    private let read: (DependencyValues) -> Value

    /// The dependency at a key path.
    public init(_ keyPath: KeyPath<DependencyValues, Value>) {
        initial = DependencyValues.bound
        read = { $0[keyPath: keyPath] }
    }

    /// The dependency of a key.
    public init<Key: TestDependencyKey>(_ key: Key.Type) where Key.Value == Value {
        initial = DependencyValues.bound
        read = { $0[key] }
    }

    /// The dependency.
    public var wrappedValue: Value {
        guard let bound = DependencyValues.bound else { return read(initial ?? .current) }
        return read(initial.map { $0.merging(bound) } ?? bound)
    }
}
