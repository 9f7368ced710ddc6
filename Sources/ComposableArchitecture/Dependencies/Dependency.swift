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
private protocol DependencyHolder {
    var initialValues: DependencyValues? { get }
}

extension Dependency: DependencyHolder {
    var initialValues: DependencyValues? { initial }
}

/// Runs `operation` with the dependencies that applied when an object was created, and overrides, so that a child gets those of its
/// parent.
///
/// The object has properties with ``Dependency``. Without one, the dependencies of the caller apply.
///
/// - Parameters:
///   - model: The object.
///   - update: Overrides dependencies.
///   - operation: The code, for example one that creates a child.
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    var mirror: Mirror? = Mirror(reflecting: model)
    var found: DependencyValues?
    while let current = mirror, found == nil {
        found = current.children.lazy.compactMap { ($0.value as? any DependencyHolder)?.initialValues }.first
        mirror = current.superclassMirror
    }
    var values = found.map { known in DependencyValues.bound.map { known.merging($0) } ?? known } ?? .current
    try update(&values)
    return try DependencyValues.$bound.withValue(values, operation: operation)
}

/// Runs `operation` with the dependencies that applied when an object was created, so that a child gets those of its parent.
///
/// The object has properties with ``Dependency``. Without one, the dependencies of the caller apply.
public func withDependencies<Model: AnyObject, Result>(
    from model: Model, operation: () throws -> Result
) rethrows -> Result {
    try withDependencies(from: model, { _ in }, operation: operation)
}
