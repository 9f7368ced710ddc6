import IssueReporting
import Locking

/// The values that keys provide, each created once per environment and, in a test process, per test.
final class DefaultDependencies: Sendable {
    private struct Place: Hashable {
        let key: ObjectIdentifier
        let context: DependencyContext
        /// The running test, whose values no other test sees.
        let test: AnyHashable?
    }

    private struct State {
        var values: [Place: DefaultValue] = [:]
        /// The keys whose values were chosen for the program or for a test.
        var prepared: [AnyHashable?: [ObjectIdentifier: Any]] = [:]
        var contexts: [AnyHashable?: DependencyContext] = [:]
    }

    private let state = Lock(State())
    /// Whether the values belong to a hosted session, whichever thread reads them.
    private let isOfSession: Bool

    init(isOfSession: Bool) {
        self.isOfSession = isOfSession
    }

    private var test: AnyHashable? { isOfSession ? nil : RunningTest.id }

    /// Returns the value of a key.
    ///
    /// - Parameter creating: Runs the closure that creates the value.
    func value<Key: TestDependencyKey>(
        of key: Key.Type, in context: DependencyContext, creating: (() -> Key.Value) -> Key.Value
    ) -> Key.Value {
        let place = Place(key: ObjectIdentifier(key), context: context, test: test)
        let value = state.withLock { state in
            if let known = state.values[place] { return known }
            let new = DefaultValue(name: "\(key)")
            state.values[place] = new
            return new
        }
        // Outside of the lock, because a key's value may read other dependencies.
        let made = value.get {
            creating {
                switch context {
                case .live: Self.liveValue(of: key)
                case .preview: key.previewValue
                case .test: key.testValue
                }
            }
        }
        guard let made = made as? Key.Value else { preconditionFailure("Expected a \(Key.Value.self) for \(key)") }
        return made
    }

    private static func liveValue<Key: TestDependencyKey>(of key: Key.Type) -> Key.Value {
        func live<Live: DependencyKey>(_ key: Live.Type) -> Any { key.liveValue }
        if let key = key as? any DependencyKey.Type, let value = live(key) as? Key.Value { return value }
        if !DependencyValues.isOverriding {
            MissingDependency.report("\(key) has no value for production: conform it to DependencyKey")
        }
        return key.testValue
    }

    func set(_ key: ObjectIdentifier, to value: Any, in context: DependencyContext) {
        let (place, value) = (Place(key: key, context: context, test: test), DefaultValue(value))
        state.withLock { $0.values[place] = value }
    }

    /// Sets the value of a key for the program, or for the running test.
    func prepare(_ key: ObjectIdentifier, _ value: Any, in context: DependencyContext) {
        set(key, to: value, in: context)
        let test = test
        state.withLock { $0.prepared[test, default: [:]][key] = value }
    }

    /// Sets the environment for the program, or for the running test.
    func prepare(_ context: DependencyContext) {
        let test = test
        state.withLock { $0.contexts[test] = context }
    }

    /// The values that were set for the program, or for the running test.
    var prepared: [ObjectIdentifier: Any] {
        let test = test
        return state.withLock { $0.prepared[test] ?? [:] }
    }

    /// The environment that was set for the program, or for the running test.
    var preparedContext: DependencyContext? {
        let test = test
        return state.withLock { $0.contexts[test] }
    }
}

/// A value that the first reader creates, while others wait.
private final class DefaultValue: Sendable {
    private let name: String
    private let state: Lock<Any?>
    // The thread that creates the value holds it.
    private let gate = Gate()

    init(name: String) {
        self.name = name
        state = Lock(nil)
    }

    init(_ value: Any) {
        name = ""
        state = Lock(value)
    }

    func get(_ create: () -> Any) -> Any {
        if let known = state.withLock({ $0 }) { return known }
        guard gate.enter() else { preconditionFailure("The default value of the dependency \(name) reads itself") }
        defer { _ = gate.leave() }
        if let known = state.withLock({ $0 }) { return known }
        let made = create()
        state.withLock { $0 = made }
        return made
    }
}
