/// The cancellation ids under which an effect is subscribed to, from the outermost one.
///
/// A host that asks a stored effect again in a restored store cancels it when the store cancels one of its ids. The ids
/// themselves cannot be stored, so they are stored as names.
enum CancellationIDs {
    /// The ids of the subscription that the current task makes. Only set in sessions that are captured.
    @TaskLocal static var current: [CancellationID] = []

    /// Returns the result of a closure that subscribes under one more id.
    static func appending<Result>(_ id: CancellationID, in scope: EffectScope, _ body: () -> Result) -> Result {
        // Without a journal nobody reads the ids, and setting a task-local value costs an allocation.
        guard scope.series != nil else { return body() }
        return $current.withValue(current + [id], operation: body)
    }
}

/// Where an effect was subscribed to, of which a part is subscribed to later.
struct EffectOrigin {
    private let ids: [CancellationID]
    let path: FeaturePath

    static var current: EffectOrigin { EffectOrigin(ids: CancellationIDs.current, path: .current) }

    /// Returns the result of a closure that subscribes to the part.
    func restore<Result>(_ body: () -> Result) -> Result {
        path.run { ids.isEmpty ? body() : CancellationIDs.$current.withValue(ids, operation: body) }
    }
}

/// The feature that has started an effect. It can cancel the effect by its id, as the features that contain it can.
enum EffectOwner {
    case feature(FeaturePath)
    /// A feature of the store's former life, by the names of the ids of the children that contain it.
    case stored([String])

    static var root: EffectOwner { .feature(FeaturePath()) }

    /// Returns whether the effect is one of the child at a path, or of a descendant.
    func isPart(of path: FeaturePath) -> Bool {
        if path.steps.isEmpty { return true }
        switch self {
        case .feature(let own): return own.starts(with: path)
        case .stored(let names): return path.name.map { names.contains($0) } ?? false
        }
    }
}

/// An id of a cancellable effect.
struct CancellationID: @unchecked Sendable {
    // Sendable because ids are immutable values.
    let value: AnyHashable
    /// The path of the child in which the id is used: two children may use equal ids.
    let path: FeaturePath
    /// The type, if the id is one.
    private let type: Any.Type?

    init(_ value: AnyHashable) {
        let path = FeaturePath.current.ofChild
        self.value = value
        // The id of a child is unique in the store, and is used by its parent.
        self.path = !path.steps.isEmpty && (value.base is ChildID || value.base is StoredID) ? FeaturePath() : path
        type = nil
    }

    init(_ type: Any.Type) {
        value = ObjectIdentifier(type)
        path = FeaturePath.current.ofChild
        self.type = type
    }

    /// The id as text that is the same in each process of a build; nil if none exists, as for an object.
    ///
    /// Two ids of one type with the same description have the same name.
    var name: String? {
        if let type { return _mangledTypeName(type) }
        return CancellationID.name(of: value)
    }

    fileprivate static func name(of value: AnyHashable) -> String? {
        let base = value.base
        if let child = base as? ChildID { return child.path.name }
        if base is ObjectIdentifier || base is StoredID { return nil }
        // An object has no description that tells it from others. Key paths are objects, but values in fact.
        let kind = Swift.type(of: base)
        guard !(kind is AnyClass) || base is AnyKeyPath, let type = _mangledTypeName(kind) else { return nil }
        return "\(type) \(base)"
    }
}

extension FeaturePath {
    /// The path as text that is the same in each process of a build; nil if a step has none.
    var name: String? {
        let names = steps.compactMap { $0.base is [AnyHashable] ? nested($0) : CancellationID.name(of: $0) }
        return names.count == steps.count ? names.joined(separator: "/") : nil
    }

    private func nested(_ step: AnyHashable) -> String? {
        guard let parts = step.base as? [AnyHashable] else { return nil }
        let names = parts.compactMap { CancellationID.name(of: $0) }
        return names.count == parts.count ? names.joined(separator: "#") : nil
    }
}

/// The id of an effect that a host runs in a restored store: the name of the id that it had.
struct StoredID: Hashable, DerivedID {
    let name: String
}
