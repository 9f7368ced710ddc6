/// The parts that an operator adds when it subscribes to a publisher after the wiring, such as the second publisher of a
/// concatenation. Their keys do not depend on when that happens. Confined to the session's loop.
public final class StateScope {
    // Weak: the registry retains the operator, which retains the scope.
    private weak let registry: StateRegistry?
    private let prefix: String

    init(_ registry: StateRegistry, prefix: String) {
        self.registry = registry
        self.prefix = prefix
    }

    /// Whether parts of the scope were captured that have not been added again, while a machine is restored. True also if all of them
    /// had ended.
    public var isStored: Bool {
        registry?.wiring?.stored.keys.contains { $0.hasPrefix(prefix) } ?? false
    }

    /// Returns the result of a closure that subscribes. The parts that register meanwhile replace those of the former call.
    public func wire<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let registry, registry.acceptsParts else { return try StateRegistry.withoutRegistry(body) }
        registry.beginScope(prefix)
        return try registry.wire(inScope: prefix, body)
    }
}
