import CombineCore
import StateCapture

/// The dependencies of reducers and effects, by key.
///
/// Extend this type with a property for each key; features read it with ``Dependency``. Override values for a store
/// when you create it, or for a scope of code with ``withDependencies(_:operation:)``. The effects of a store read the
/// values that the store was created with.
public struct DependencyValues: @unchecked Sendable {
    // Sendable because effects use dependencies on any thread, so a value that is registered as a dependency must
    // tolerate that. The only mutable state is behind the lock of `defaults`.
    @TaskLocal static var bound: DependencyValues?
    /// Whether the calling task overrides dependencies. It may then read a default value in order to change a part of it.
    @TaskLocal static var isOverriding = false

    private var replaced: [ObjectIdentifier: Any] = [:]
    private let defaults: DefaultDependencies
    private var chosenContext: DependencyContext?
    /// The shared values of the session to whose code these values apply, for closures that run elsewhere.
    private(set) var sessionStorage: InMemoryStorage?

    /// Creates values without overrides, with their own defaults.
    public init() {
        defaults = DefaultDependencies(isOfSession: false)
    }

    private init(defaults: DefaultDependencies) {
        self.defaults = defaults
    }

    private init(context: DependencyContext) {
        self.init()
        chosenContext = context
    }

    /// New values with the defaults of production.
    public static var live: DependencyValues { DependencyValues(context: .live) }
    /// New values with the defaults of previews.
    public static var preview: DependencyValues { DependencyValues(context: .preview) }
    /// New values with the defaults of tests.
    public static var test: DependencyValues { DependencyValues(context: .test) }

    /// The values that apply where no others are bound.
    private static let unbound = DependencyValues()

    /// The values that apply to the caller.
    static var current: DependencyValues { bound ?? unbound }

    /// The values that apply to the caller, with what identifies its session, for code that continues elsewhere.
    static var escaping: DependencyValues {
        var values = current
        values.sessionStorage = InMemoryStorage.ofSession
        return values
    }

    /// The values that apply to the caller: those of the innermost ``withDependencies(_:operation:)``.
    public static var _current: DependencyValues { current }

    /// The environment in which the dependencies are used, unless it has been set: `test` in a process that runs tests, `live` in
    /// others and in a hosted session. The variable `SWIFT_DEPENDENCIES_CONTEXT` of the process's environment sets another one.
    public var context: DependencyContext {
        get { chosenContext ?? defaults.preparedContext ?? .inferred }
        set { chosenContext = newValue }
    }

    /// The dependency for a key.
    public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
        get {
            // In two steps: a missing value must not become the nil of a value that is optional.
            if let known = replaced[ObjectIdentifier(key)], let value = known as? Key.Value { return value }
            return defaults.value(of: key, in: context) { make in
                // A default value may read other dependencies.
                DependencyValues.$bound.withValue(self, operation: make)
            }
        }
        set { replaced[ObjectIdentifier(key)] = newValue }
    }

    /// Returns these values with the overrides of `other` applied.
    func merging(_ other: DependencyValues) -> DependencyValues {
        // The defaults of `other`, which are those of the store: a feature may have been created before its store.
        var merged = other
        if !replaced.isEmpty { merged.replaced = replaced.merging(other.replaced) { $1 } }
        merged.chosenContext = other.chosenContext ?? chosenContext
        merged.sessionStorage = other.sessionStorage ?? sessionStorage
        return merged
    }

    /// Returns the values of a new root store. Those of a hosted session are those of production, unless they are overridden.
    func forStore() -> DependencyValues {
        guard MainContext.isSubstituted || StateRegistry.current != nil else { return self }
        // A copy of `self` would share the defaults object, and two stores, for example of two clients, would share
        // dependencies that keep state.
        var copy = DependencyValues(defaults: DefaultDependencies(isOfSession: true))
        copy.replaced = defaults.prepared.merging(replaced) { $1 }
        copy.chosenContext = chosenContext ?? defaults.preparedContext ?? .live
        copy.sessionStorage = InMemoryStorage.ofSession
        return copy
    }

    func isOverridden<Key: TestDependencyKey>(_ key: Key.Type) -> Bool {
        replaced[ObjectIdentifier(key)] != nil || defaults.prepared[ObjectIdentifier(key)] != nil
    }

    /// Sets the default of a key in production, which overrides replace.
    func setDefault<Key: DependencyKey>(_ key: Key.Type, to value: Key.Value) {
        defaults.set(ObjectIdentifier(key), to: value, in: .live)
    }

    /// Runs a closure that overrides dependencies.
    mutating func override<Result>(_ update: (inout DependencyValues) throws -> Result) rethrows -> Result {
        try DependencyValues.$isOverriding.withValue(true) { try update(&self) }
    }

    /// Runs a closure whose overrides become defaults, for all that share these.
    func prepare<Result>(_ update: (inout DependencyValues) throws -> Result) rethrows -> Result {
        var values = self
        values.replaced = [:]
        let result = try values.override(update)
        if let context = values.chosenContext, context != chosenContext { defaults.prepare(context) }
        for (key, value) in values.replaced { defaults.prepare(key, value, in: values.context) }
        return result
    }
}

/// Overrides dependencies for the whole process, or for the running test of Swift Testing. Call it when the program starts: hosted
/// sessions that exist already do not change.
///
/// All sessions of a server share these values. A value with state of its own, such as a cache for one user, belongs to a session:
/// override it where the session's store is created.
///
/// ```swift
/// prepareDependencies { $0.calendar = Calendar(identifier: .iso8601) }
/// ```
///
/// - Returns: The result of `update`.
@discardableResult
public func prepareDependencies<Result>(
    _ update: (inout DependencyValues) throws -> Result
) rethrows -> Result {
    try DependencyValues.current.prepare(update)
}
