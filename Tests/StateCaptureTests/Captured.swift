import StateCapture

/// A machine with members, and the state that a host keeps for it.
struct Captured {
    var registry: StateRegistry
    private(set) var parts: [String: String] = [:]

    init(_ wire: (StateRegistry) -> Void) {
        registry = StateRegistry(clockOffset: 1_000)
        registry.wire { wire(registry) }
    }

    /// Restores a machine from stored states.
    init(restoring parts: [String: String], clockOffset: Int64 = 1_000, _ wire: (StateRegistry) -> Void) {
        registry = StateRegistry(
            restoring: parts.mapValues { Array($0.utf8)[...] }, clockOffset: clockOffset)
        registry.wire { wire(registry) }
        self.parts = parts
    }

    /// Captures, and returns the states that have changed, by their keys without the marks of types.
    mutating func capture() throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try store().map { (Self.unmarked($0.key), $0.value) })
    }

    /// Captures, and returns the states that have changed.
    @discardableResult
    mutating func store() throws -> [String: String] {
        var bytes: [UInt8] = []
        let count = try registry.appendChanges(to: &bytes)
        let changes = Self.states(bytes)
        assert(changes.count == count)
        parts.merge(changes) { $1 }
        return changes
    }

    /// Returns what ``StateRegistry/appendAll(to:)`` writes.
    func all() throws -> [String: String] {
        var bytes: [UInt8] = []
        let count = try registry.appendAll(to: &bytes)
        let states = Self.states(bytes)
        assert(states.count == count)
        return states
    }

    /// Returns the changes by their keys.
    static func states(_ bytes: [UInt8]) -> [String: String] {
        var states: [String: String] = [:]
        for (key, json) in StateChanges(bytes[...]) { states[key] = String(decoding: json, as: UTF8.self) }
        return states
    }

    /// Returns a key without the marks of types.
    static func unmarked(_ key: String) -> String { key.replacing(/~[0-9a-f]{6}/, with: "") }
}

/// Returns the key of the first counter with a type of state.
func counterKey<State>(_ type: State.Type) throws -> String {
    var machine = Captured { $0.register(Counter<State>(nil)) }
    try machine.store()
    return machine.parts.keys.first ?? ""
}

/// A part with a state that a test sets.
final class Counter<State>: StatefulPart {
    static var partName: StaticString { "counter" }
    var state: State?
    private(set) var calls: [String] = []

    init(_ state: State?) { self.state = state }

    var partState: State? { state }

    func restore(_ state: State?) {
        self.state = state
        calls.append("restore")
    }

    func resume() { calls.append("resume") }
}

/// A property whose value lives in an object.
@propertyWrapper
struct Held<Value>: StateHolder {
    final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    let box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    var heldState: Value { box.value }

    func restoreHeld(_ state: Value) { box.value = state }
}
