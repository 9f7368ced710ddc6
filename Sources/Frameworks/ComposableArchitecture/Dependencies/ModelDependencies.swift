import CombineCore
import Locking

/// The dependencies that applied when objects were created.
enum ModelDependencies {
    // An object has no place of its own for the values, unless it has a property with `Dependency`.
    private static let table = Lock(WeakTable<ObjectIdentifier, AnyObject, DependencyValues>())

    /// Keeps the values of an object that has been created with them.
    static func keep(_ values: DependencyValues, for model: AnyObject) {
        // The values of a session must not outlive it here.
        if MainContext.isSubstituted || holder(in: model) != nil { return }
        // Released outside of the lock, because values are code of the user.
        let released = table.withLock { $0.insert(model, values, for: ObjectIdentifier(model)) }
        withExtendedLifetime(released) {}
    }

    /// Returns the values that applied when an object was created, with those of the caller that are overridden. Reports an issue if
    /// they are unknown.
    static func values(of model: AnyObject, file: StaticString, line: UInt) -> DependencyValues {
        if let holder = holder(in: model) { return merged(holder.initialValues) }
        // The entry of a released object with the same address has no object.
        if let entry = table.withLock({ $0[ObjectIdentifier(model)] }) { return merged(entry.value) }
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
