public import CasePaths

/// A reducer that runs child reducers on a part of the state and of the actions.
public struct Scope<ParentState, ParentAction>: ReducerProtocol {
    private let run: (inout ParentState, ParentAction) -> EffectTask<ParentAction>

    /// Creates a reducer that runs child reducers on a property of the state.
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: WritableKeyPath<ParentState, ChildState>,
        action toChildAction: CasePath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
    ) where Child.State == ChildState, Child.Action == ChildAction {
        let child = child()
        run = { state, action in
            guard let action = toChildAction.extract(from: action) else { return .none }
            // Two properties may have the same feature, whose children have the same places in it.
            return FeaturePath.current.appending(toChildState).run {
                child.reduce(into: &state[keyPath: toChildState], action: action)
            }
            .map(toChildAction.embed)
        }
    }

    /// Creates a reducer that runs child reducers on the value of one case of the state. An action that is received
    /// while the state is in another case is reported and ignored.
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: CasePath<ParentState, ChildState>,
        action toChildAction: CasePath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) where Child.State == ChildState, Child.Action == ChildAction {
        let child = child()
        run = { state, action in
            guard let action = toChildAction.extract(from: action) else { return .none }
            guard var childState = toChildState.extract(from: state) else {
                MissingState.report(
                    "the state was in another case", absence: "is not the current case", action: action, file: file,
                    line: line)
                return .none
            }
            let effect = child.reduce(into: &childState, action: action)
            state = toChildState.embed(childState)
            return effect.map(toChildAction.embed)
        }
    }

    /// Runs the child reducers if the action is one of theirs.
    public func reduce(into state: inout ParentState, action: ParentAction) -> EffectTask<ParentAction> {
        run(&state, action)
    }
}
