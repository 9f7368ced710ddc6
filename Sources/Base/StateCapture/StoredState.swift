/// The stored state of a machine, which a migration changes: the JSON of each captured member and operator by its key.
///
/// A key names a part, the number of the part among those with its name, and a member: `store.0.filter.text`. The number
/// may be left out where it is 0: `store.filter.text`. What is stored under the key of an operator is an array with its state,
/// or `null` if the operator has ended.
public struct StoredState: Equatable, Sendable {
    private var states: [String: ArraySlice<UInt8>]

    /// Creates a state of JSON texts.
    public init(_ states: [String: ArraySlice<UInt8>]) {
        self.states = states
    }

    /// The JSON of each member and operator by its key.
    public var json: [String: ArraySlice<UInt8>] { states }

    /// The keys, in order.
    public var keys: [String] { states.keys.sorted() }

    /// Returns the value with a key; nil if it is not stored.
    ///
    /// - Throws: If what is stored is not JSON.
    public func value(_ key: String) throws -> StateValue? {
        try states[resolve(key)].map { try StateValue(json: $0) }
    }

    /// Stores a value; nil removes what is stored.
    public mutating func set(_ key: String, to value: StateValue?) {
        let key = resolve(key)
        states[key] = value.map { $0.json[...] }
    }

    /// Moves what is stored to another key, in place of what is stored there. Does nothing if nothing is stored.
    public mutating func move(_ key: String, to target: String) {
        let target = resolve(target)
        if let json = states.removeValue(forKey: resolve(key)) { states[target] = json }
    }

    /// Replaces a value by the result of a closure. Does nothing if nothing is stored.
    ///
    /// - Throws: The error of the closure, or if what is stored is not JSON.
    public mutating func change(_ key: String, _ transform: (StateValue) throws -> StateValue) throws {
        guard let value = try value(key) else { return }
        set(key, to: try transform(value))
    }

    /// Returns the complete key of one without the number of its part.
    private func resolve(_ key: String) -> String {
        if states[key] != nil { return key }
        // From the right, because the name of a part may contain dots: `SearchStream.state`.
        var end = key.endIndex
        while let dot = key[..<end].lastIndex(of: ".") {
            let part = String(key[..<dot]) + ".0."
            if states.keys.contains(where: { $0.hasPrefix(part) }) {
                return part + String(key[key.index(after: dot)...])
            }
            end = dot
        }
        return key
    }
}

/// Turns a stored state of one version into one of the next. It must depend on nothing but its argument, because it may run
/// several times and in other programs, such as a check before a deployment.
public typealias StateMigration = @Sendable (inout StoredState) throws -> Void
