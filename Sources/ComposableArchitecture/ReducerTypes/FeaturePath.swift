/// The position of the running reducer in the tree of features.
///
/// Each `ifLet`, `ifCaseLet` and `forEach` appends a step. The path is part of the cancellation id of a child's
/// effects, so that removing one child does not cancel the effects of the same feature elsewhere in the tree.
struct FeaturePath: Hashable, @unchecked Sendable {
    // Sendable because the steps are key paths and ids, which are immutable values.
    @TaskLocal static var current = FeaturePath()

    private(set) var steps: [AnyHashable] = []

    /// Returns the path with one more step.
    func appending(_ step: AnyHashable) -> FeaturePath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// Runs a child's reducer with this path as the current one.
    func run<Result>(_ body: () -> Result) -> Result {
        FeaturePath.$current.withValue(self, operation: body)
    }
}

/// The cancellation id of the effects of one child.
struct ChildID: Hashable, DerivedID {
    let path: FeaturePath

    /// Creates the id of a child in a collection of children.
    init(at place: AnyHashable, id: AnyHashable) {
        path = FeaturePath.current.appending([place, id] as [AnyHashable])
    }

    /// Runs the child's reducer. Its effects are cancelled when the child is removed.
    func run<Action>(_ reduce: () -> EffectTask<Action>) -> EffectTask<Action> {
        let effect = path.run(reduce)
        return effect.isNone ? effect : effect.cancellable(id: self)
    }

}

/// The identity of the child in optional state: no child, a child without an id, or a child with an id.
enum ChildIdentity: Equatable {
    case none
    case unidentified
    case identified(AnyHashable)

    init<State>(of state: State?) {
        func id<Known: Identifiable>(_ state: Known) -> AnyHashable { AnyHashable(state.id) }
        guard let state else {
            self = .none
            return
        }
        if let state = state as? any CaseReducerState {
            // Another case is another child, also if both children have the same id or none.
            let (number, value) = state._$case
            let child = (value as? any Identifiable).map { id($0) }
            self = .identified([AnyHashable(number), AnyHashable(child)] as [AnyHashable])
        } else if let state = state as? any Identifiable {
            self = .identified(id(state))
        } else {
            self = .unidentified
        }
    }

    /// Returns the cancellation id of the child's effects, or nil if there is no child.
    func child(at place: @autoclosure () -> AnyHashable) -> ChildID? {
        switch self {
        case .none: nil
        case .unidentified: ChildID(at: place(), id: true)
        case .identified(let id): ChildID(at: place(), id: id)
        }
    }
}
