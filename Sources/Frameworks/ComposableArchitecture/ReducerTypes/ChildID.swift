import Locking

/// A place for children in the tree of features: a property, a collection, or a composition.
struct ChildPlace: Hashable {
    let parent: FeaturePath
    let step: AnyHashable

    /// Creates the place of children of the running reducer.
    init(_ step: AnyHashable) {
        parent = .current
        self.step = step
    }

    /// The prefix of the names of the children's ids; nil if the place has no name.
    var namePrefix: String? { parent.appending(step).name.map { $0 + "#" } }

    /// Returns whether the name of an id at this place is that of a child in a case.
    func hasCase(_ name: String) -> Bool {
        guard let prefix = namePrefix, let type = _mangledTypeName([AnyHashable].self) else { return false }
        return name.hasPrefix(prefix + type)
    }
}

/// The cancellation id of the effects of one child.
struct ChildID: Hashable, DerivedID {
    let place: ChildPlace
    let id: AnyHashable

    var path: FeaturePath { place.parent.appending([place.step, id] as [AnyHashable]) }

    /// Runs the child's reducer. Its effects are cancelled when the child is removed.
    func run<Action>(_ reduce: () -> EffectTask<Action>) -> EffectTask<Action> {
        path.run(reduce).cancellable(id: self)
    }

    /// Returns whether a stored effect, of which the id of a child has a name, is one of this child.
    func owns(_ name: String) -> Bool {
        path.name.map { name == $0 || name.hasPrefix($0 + "/") } ?? false
    }
}

extension Effect {
    /// Returns an effect that cancels the effects of children that a place does not have any more.
    ///
    /// Other reducers may have removed a child, before or after the reducer that runs it. So all running effects are
    /// compared with the children that exist.
    ///
    /// - Parameters:
    ///   - step: The place.
    ///   - ran: A child that may not exist any more and whose new effects are not running yet, or nil.
    ///   - exists: Returns whether a child with an id exists.
    ///   - owns: Returns whether an existing child has the stored effects with a name.
    static func ending(
        at step: @autoclosure () -> AnyHashable, ran: AnyHashable?, exists: (AnyHashable) -> Bool,
        owns: (ChildPlace, String) -> Bool
    ) -> Effect {
        let scope = EffectScope.resolve(createdIn: nil)
        guard ran != nil || scope.table.withLock({ $0.hasChildren }) else { return .none }
        let place = ChildPlace(step())
        let (running, stored) = scope.table.withLock { ($0.children(at: place), $0.storedNames(at: place)) }
        var gone = running.filter { !exists($0) }
        if let ran, !exists(ran), !gone.contains(ran) { gone.append(ran) }
        let names = stored.filter { !owns(place, $0) }
        let children = gone.map { AnyHashable(ChildID(place: place, id: $0)) }
        return .cancel(ids: children + names.map { AnyHashable(StoredID(name: $0)) })
    }
}
