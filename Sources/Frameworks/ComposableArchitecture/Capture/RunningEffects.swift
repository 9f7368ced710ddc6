import Locking
import StateCapture

/// The effects of a root store that are running, by their ids.
///
/// An effect itself cannot be captured: it is a publisher with closures, and its id is a value of a type that only the
/// feature knows. What is recorded is what a restored feature needs in order to start it again. Effects that the host stores
/// are not recorded here.
final class RunningEffects: StatefulPart {
    struct PartState: Codable {
        var count: Int
        /// The ids of those that have one, as text.
        var names: [String]
        /// The shared values of keys; nil if there are none, and in the stores of a session after the first.
        var shared: [StoredShared]?
    }

    static var partName: StaticString { "effects" }

    /// The most effects of one store that are reported as interrupted.
    private static let maxInterrupted = 10_000

    private let scope: EffectScope
    private let count: () -> Int
    private var last = PartState(count: 0, names: [])
    private var lastChange = 0
    /// The shared values that this store captures.
    private let storage: InMemoryStorage?

    /// - Parameter count: Returns the number of running effects.
    init(_ scope: EffectScope, count: @escaping () -> Int) {
        self.scope = scope
        self.count = count
        storage = scope.sessionStorage.flatMap { $0.claimCapture() ? $0 : nil }
    }

    var partState: PartState? {
        let (change, declared) = scope.table.withLock { ($0.changeCount, $0.declaredCount) }
        // The host continues the effects that it stores.
        last.count = max(0, count() - declared)
        // The names are collected again only if an effect with an id has started or ended.
        if change != lastChange {
            lastChange = change
            last.names = scope.table.withLock { $0.names }
        }
        last.shared = storage?.stored
        return last
    }

    /// True: see ``hasUncapturedWork``.
    static var mayHaveUncapturedWork: Bool { true }

    /// Whether an effect is running, of which only its id is captured.
    var hasUncapturedWork: Bool { count() > 0 }

    /// Records the effects that were running. They are not running any more.
    func restore(_ state: PartState?) {
        if let shared = state?.shared { storage?.restore(shared) }
        guard let state, state.count > 0 || !state.names.isEmpty else { return }
        let names =
            state.names.isEmpty
            ? Array(repeating: "effect", count: min(state.count, RunningEffects.maxInterrupted)) : state.names
        StateRegistry.current?.addInterruptedWork(names.map { InterruptedWork(name: $0) })
    }
}

/// An id that this framework derives from the ids of features.
protocol DerivedID {}

extension EffectTable {
    /// The ids that features gave to running effects, as text. An id that is a type has no name of its own.
    var names: [String] {
        let declared = declaredIDs
        return cancellations.keys.filter { !declared.contains($0) }.map(\.base)
            .filter { !($0 is any DerivedID) && !($0 is ObjectIdentifier) }
            .map { String(describing: $0) }.sorted()
    }
}
