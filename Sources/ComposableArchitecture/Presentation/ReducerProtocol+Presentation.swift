public import CasePaths

extension ReducerProtocol {
    /// Runs a child's reducer on presented state, before this reducer.
    ///
    /// `.dismiss` removes the state after this reducer has handled it. Removing the state, or replacing it with state
    /// that has another id, cancels the child's effects. Alerts and action sheets are removed when one of their buttons
    /// is pressed.
    public func ifLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toPresentation: WritableKeyPath<State, PresentationState<ChildState>>,
        action toPresentationAction: CasePath<Action, PresentationAction<ChildAction>>,
        @ReducerBuilder<ChildState, ChildAction> destination: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        let child = destination()
        return Reduce { state, action in
            let before = ChildIdentity(of: state[keyPath: toPresentation].wrappedValue)
            var childEffect = EffectTask<Action>.none
            let presented = toPresentationAction.extract(from: action)
            if case .presented(let action)? = presented {
                if let id = before.child(at: toPresentation) {
                    childEffect = Self.run(
                        child, action, id, &state[keyPath: toPresentation].wrappedValue,
                        embed: toPresentationAction.embed)
                } else {
                    MissingState.report(
                        "nothing was presented", absence: "is not presented", action: action, file: file, line: line)
                }
            }
            let effect = reduce(into: &state, action: action)
            let current = ChildIdentity(of: state[keyPath: toPresentation].wrappedValue)
            // Only if this reducer has not already removed or replaced the child: `.dismiss` must not remove a new
            // child.
            if current == before, Self.isOver(presented, state[keyPath: toPresentation].wrappedValue) {
                state[keyPath: toPresentation].wrappedValue = nil
            }
            let after = ChildIdentity(of: state[keyPath: toPresentation].wrappedValue)
            let ending = before == after ? nil : before.child(at: toPresentation)
            return .merge(childEffect, effect, .ending(ending))
        }
    }

    private static func run<Child: ReducerProtocol>(
        _ child: Child, _ action: Child.Action, _ id: ChildID, _ state: inout Child.State?,
        embed: @escaping (PresentationAction<Child.Action>) -> Action
    ) -> EffectTask<Action> {
        let signal = DismissSignal()
        var values = DependencyValues.current
        values.dismiss = DismissEffect(signal: signal)
        values.isPresented = true
        let effect: EffectTask<Action> = DependencyValues.$bound.withValue(values) {
            id.path.run { withWrapped(&state) { child.reduce(into: &$0, action: action) } ?? .none }
                .map { embed(.presented($0)) }
        }
        if effect.isNone { return effect }
        return effect.bound(to: values).dismissing(with: embed(.dismiss), on: signal).cancellable(id: id)
    }

    /// Returns whether the action ends the presentation.
    private static func isOver<ChildState, ChildAction>(
        _ action: PresentationAction<ChildAction>?, _ state: ChildState?
    ) -> Bool {
        switch action {
        case .dismiss: true
        case .presented: ((state as? any CaseReducerState)?._$case.value ?? state as Any) is any EphemeralState
        case nil: false
        }
    }
}
