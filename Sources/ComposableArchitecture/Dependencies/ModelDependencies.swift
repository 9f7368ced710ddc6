import CombineCore
import Locking

/// The dependencies that applied when objects were created.
enum ModelDependencies {
    private struct Entry {
        weak var model: AnyObject?
        let values: DependencyValues
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of entries at which those of released objects are removed.
        var limit = 64
    }

    // An object has no place of its own for the values, unless it has a property with `Dependency`.
    private static let state = Lock(State())

    /// Keeps the values of an object that has been created with them.
    static func keep(_ values: DependencyValues, for model: AnyObject) {
        // The values of a session must not outlive it here.
        if MainContext.isSubstituted || holder(in: model) != nil { return }
        // Released outside of the lock, because values are code of the user.
        let released = state.withLock { state in
            let former = state.entries.updateValue(Entry(model: model, values: values), forKey: ObjectIdentifier(model))
            guard state.entries.count > state.limit else { return [former].compactMap(\.self) }
            let released = state.entries.filter { $0.value.model == nil }
            state.entries = state.entries.filter { $0.value.model != nil }
            state.limit = max(64, 2 * state.entries.count)
            return Array(released.values) + [former].compactMap(\.self)
        }
        withExtendedLifetime(released) {}
    }

    /// Returns the values that applied when an object was created, with those of the caller that are overridden. Reports an issue if
    /// they are unknown.
    static func values(of model: AnyObject, file: StaticString, line: UInt) -> DependencyValues {
        if let holder = holder(in: model) { return merged(holder.initialValues) }
        let entry = state.withLock { $0.entries[ObjectIdentifier(model)] }
        // The address may be that of a released object.
        if let entry, entry.model === model { return merged(entry.values) }
        if MainContext.isSubstituted { return .current }
        Issues.report(
            "expected \(type(of: model)) to have dependencies: give it a property with @Dependency, or return it from "
                + "withDependencies", severity: .warning, file: file, line: line)
        return .current
    }

    private static func merged(_ values: DependencyValues?) -> DependencyValues {
        values.map { known in DependencyValues.bound.map { known.merging($0) } ?? known } ?? .current
    }

    private static func holder(in model: AnyObject) -> (any DependencyHolder)? {
        var mirror: Mirror? = Mirror(reflecting: model)
        while let current = mirror {
            let found = current.children.lazy.compactMap { $0.value as? any DependencyHolder }.first
            if let found { return found }
            mirror = current.superclassMirror
        }
        return nil
    }
}
