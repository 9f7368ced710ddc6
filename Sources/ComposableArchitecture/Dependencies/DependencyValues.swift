import Locking

/// What reducers and effects depend on, found by keys.
///
/// A key makes itself known by a property in an extension of this type; features read it with ``Dependency``. Values are
/// replaced for a store when it is made, or for a stretch of code by ``withDependencies(_:operation:)``; what a store's
/// effects read is what the store was made with.
public struct DependencyValues: @unchecked Sendable {
    // Sendable because a dependency is used wherever effects run, and whoever provides it says so by providing it. What
    // changes later is behind the lock of `defaults`.
    @TaskLocal static var bound: DependencyValues?

    private var replaced: [ObjectIdentifier: Any] = [:]
    private let defaults = DefaultDependencies()
    private var chosenContext: DependencyContext?

    /// Values of which none is replaced, and which share no default with others.
    public init() {}

    /// The values that hold where this is called.
    static var current: DependencyValues { bound ?? shared }

    private static let shared = DependencyValues()

    /// Where the dependencies are used; `live` unless somebody said otherwise.
    public var context: DependencyContext {
        get { chosenContext ?? .live }
        set { chosenContext = newValue }
    }

    /// The dependency of a key.
    public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
        get {
            if let value = replaced[ObjectIdentifier(key)] as? Key.Value { return value }
            return defaults.value(of: key, in: context)
        }
        set { replaced[ObjectIdentifier(key)] = newValue }
    }

    /// These values, and where they differ those that `other` has replaced.
    func merging(_ other: DependencyValues) -> DependencyValues {
        var merged = self
        merged.replaced.merge(other.replaced) { $1 }
        if let context = other.chosenContext { merged.chosenContext = context }
        return merged
    }

    /// The same replacements, with defaults of their own.
    func separated() -> DependencyValues {
        var copy = DependencyValues()
        copy.replaced = replaced
        copy.chosenContext = chosenContext
        return copy
    }
}

/// The values that keys provide, each made once for each place of use.
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
        return values.withLock { values in
            if context != .test, let known = values[place] as? Key.Value { return known }
            values[place] = made
            return made
        }
    }

    private static func liveValue<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value {
        func live<Live: DependencyKey>(_ key: Live.Type) -> Any { key.liveValue }
        if let key = key as? any DependencyKey.Type, let value = live(key) as? Key.Value { return value }
        Issues.report("\(key) has no value for production: it has to conform to DependencyKey")
        return key.testValue
    }
}

/// Runs `operation` with replaced dependencies; tasks that it starts have them, too.
public func withDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
    var values = DependencyValues.current
    try update(&values)
    return try DependencyValues.$bound.withValue(values, operation: operation)
}

/// Runs `operation` with replaced dependencies; tasks that it starts have them, too.
public func withDependencies<Result>(
    isolation: isolated (any Actor)? = #isolation, _ update: (inout DependencyValues) async throws -> Void,
    operation: () async throws -> Result
) async rethrows -> Result {
    var values = DependencyValues.current
    try await update(&values)
    return try await DependencyValues.$bound.withValue(values, operation: operation)
}
