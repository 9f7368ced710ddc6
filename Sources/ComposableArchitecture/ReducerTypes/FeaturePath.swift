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

    /// The child at a place in the state, with the identity of its state if it has one.
    init<State>(at place: AnyHashable, state: State) {
        path = FeaturePath.current.appending([place, Self.identity(of: state)] as [AnyHashable])
    }

    /// The child with an id in a collection of children.
    init(at place: AnyHashable, id: AnyHashable) {
        path = FeaturePath.current.appending([place, id] as [AnyHashable])
    }

    /// Runs the child's reducer; its effects end when the child goes.
    func run<Action>(_ reduce: () -> EffectTask<Action>) -> EffectTask<Action> {
        let effect = path.run(reduce)
        return effect.isNone ? effect : effect.cancellable(id: self)
    }

    private static func identity<State>(of state: State) -> AnyHashable {
        func id<Known: Identifiable>(_ state: Known) -> AnyHashable { AnyHashable(state.id) }
        if let state = state as? any Identifiable { return id(state) }
        return AnyHashable(ObjectIdentifier(State.self))
    }
}
