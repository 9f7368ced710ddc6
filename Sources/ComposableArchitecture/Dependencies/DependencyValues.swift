import Locking

/// The dependencies of reducers and effects, by key.
///
/// Extend this type with a property for each key; features read it with ``Dependency``. Override values for a store
/// when you create it, or for a scope of code with ``withDependencies(_:operation:)``. The effects of a store read the
/// values that the store was created with.
public struct DependencyValues: @unchecked Sendable {
    // Sendable because effects use dependencies on any thread, so a value that is registered as a dependency must
    // tolerate that. The only mutable state is behind the lock of `defaults`.
    @TaskLocal static var bound: DependencyValues?

    private var replaced: [ObjectIdentifier: Any] = [:]
    private let defaults = DefaultDependencies()
    private var chosenContext: DependencyContext?

    /// Creates values without overrides, with their own defaults.
    public init() {}

    /// The values that apply to the caller.
    static var current: DependencyValues { bound ?? shared.withLock { $0 } }

    /// The values that apply where no others are bound.
    static let shared = Lock(DependencyValues())

    /// The environment in which the dependencies are used; `live` unless it has been set.
    public var context: DependencyContext {
        get { chosenContext ?? .live }
        set { chosenContext = newValue }
    }

    /// The dependency for a key.
    public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
        get {
            if let value = replaced[ObjectIdentifier(key)] as? Key.Value { return value }
            return defaults.value(of: key, in: context)
        }
        set { replaced[ObjectIdentifier(key)] = newValue }
    }

    /// Returns these values with the overrides of `other` applied.
    func merging(_ other: DependencyValues) -> DependencyValues {
        // The defaults of `other`, which are those of the store: a feature may have been created before its store.
        var merged = other
        merged.replaced = replaced.merging(other.replaced) { $1 }
        merged.chosenContext = other.chosenContext ?? chosenContext
        return merged
    }

    /// Returns a copy with the same overrides and new defaults.
    func separated() -> DependencyValues {
        // A copy of `self` would share the defaults object, and two stores, for example of two clients, would share
        // dependencies that keep state.
        var copy = DependencyValues()
        copy.replaced = replaced
        copy.chosenContext = chosenContext
        return copy
    }

    /// Returns whether a key has been overridden.
    func isOverridden<Key: TestDependencyKey>(_ key: Key.Type) -> Bool { replaced[ObjectIdentifier(key)] != nil }

    /// Sets the default of a key in production, which overrides replace.
    func setDefault<Key: DependencyKey>(_ key: Key.Type, to value: Key.Value) {
        defaults.set(key, to: value)
    }
}

/// The values that keys provide, each created once per environment.
private final class DefaultDependencies: Sendable {
    private struct Place: Hashable {
        let key: ObjectIdentifier
        let context: DependencyContext
    }

    private let values = Lock<[Place: Any]>([:])

    func value<Key: TestDependencyKey>(of key: Key.Type, in context: DependencyContext) -> Key.Value {
        let place = Place(key: ObjectIdentifier(key), context: context)
        if context != .test, let known = values.withLock({ $0[place] as? Key.Value }) { return known }
        let made: Key.Value =
            switch context {
            case .live: Self.liveValue(of: key)
            case .preview: key.previewValue
            case .test: key.testValue
            }
        // The value was created outside the lock, because a key's value may read other dependencies. If another thread
        // was faster, its value wins, so that all readers share one.
        return values.withLock { values in
            if context != .test, let known = values[place] as? Key.Value { return known }
            values[place] = made
            return made
        }
    }

    func set<Key: DependencyKey>(_ key: Key.Type, to value: Key.Value) {
        values.withLock { $0[Place(key: ObjectIdentifier(key), context: .live)] = value }
    }

    private static func liveValue<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value {
        func live<Live: DependencyKey>(_ key: Live.Type) -> Any { key.liveValue }
        if let key = key as? any DependencyKey.Type, let value = live(key) as? Key.Value { return value }
        Issues.report("\(key) has no value for production: conform it to DependencyKey")
        return key.testValue
    }
}

/// Overrides dependencies for the whole process. Call it when the program starts: stores that exist already do not change.
///
/// All sessions of a server share these values. A value with state of its own, such as a cache for one user, belongs to a session:
/// override it where the session's store is created.
///
/// ```swift
/// prepareDependencies { $0.calendar = Calendar(identifier: .iso8601) }
/// ```
public func prepareDependencies(_ update: (inout DependencyValues) throws -> Void) rethrows {
    // Outside of the lock, because `update` may read dependencies.
    var values = DependencyValues.shared.withLock { $0 }
    try update(&values)
    DependencyValues.shared.withLock { $0 = values }
}

/// Runs `operation` with overridden dependencies, which its tasks inherit.
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    var values = DependencyValues.current
    try update(&values)
    return try DependencyValues.$bound.withValue(values, operation: operation)
}

/// Runs `operation` with overridden dependencies, which its tasks inherit.
public func withDependencies<Result>(
    isolation: isolated (any Actor)? = #isolation, _ update: (inout DependencyValues) async throws -> Void,
    operation: () async throws -> Result
) async rethrows -> Result {
    var values = DependencyValues.current
    try await update(&values)
    return try await DependencyValues.$bound.withValue(values, operation: operation)
}
