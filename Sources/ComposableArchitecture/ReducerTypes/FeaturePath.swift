/// Where in a tree of features the reducer is that is running.
///
/// Each `ifLet`, `ifCaseLet` and `forEach` adds a step, so that the effects of a child are found again when the child goes,
/// and those of its twin elsewhere in the tree are not.
struct FeaturePath: Hashable, @unchecked Sendable {
    // Sendable because steps are key paths and ids: values that nobody changes.
    @TaskLocal static var current = FeaturePath()

    private var steps: [AnyHashable] = []

    /// The path one step further down.
    func appending(_ step: AnyHashable) -> FeaturePath {
        var path = self
        path.steps.append(step)
        return path
    }

    /// Runs a child's reducer.
    func run<Result>(_ body: () -> Result) -> Result {
        FeaturePath.$current.withValue(self, operation: body)
    }
}

/// A child in a tree of features: the id of its effects.
struct ChildID: Hashable {
    let path: FeaturePath

    /// The child with an id in a collection of children.
    init(at place: AnyHashable, id: AnyHashable) {
        path = FeaturePath.current.appending([place, id] as [AnyHashable])
    }

    /// Runs the child's reducer; its effects end when the child goes.
    func run<Action>(_ reduce: () -> EffectTask<Action>) -> EffectTask<Action> {
        let effect = path.run(reduce)
        return effect.isNone ? effect : effect.cancellable(id: self)
    }

}

/// Which child is in an optional place of the state: none, one without an id, or one with an id.
enum ChildIdentity: Equatable {
    case nobody
    case somebody
    case known(AnyHashable)

    init<State>(of state: State?) {
        func id<Known: Identifiable>(_ state: Known) -> AnyHashable { AnyHashable(state.id) }
        guard let state else {
            self = .nobody
            return
        }
        if let state = state as? any Identifiable { self = .known(id(state)) } else { self = .somebody }
    }

    /// The id of the child's effects; nil if there is no child.
    func child(at place: @autoclosure () -> AnyHashable) -> ChildID? {
        switch self {
        case .nobody: nil
        case .somebody: ChildID(at: place(), id: true)
        case .known(let id): ChildID(at: place(), id: id)
        }
    }
}
