public import CasePaths

extension ReducerProtocol {
    /// Runs a child's reducer on presented state, before this reducer.
    ///
    /// `.dismiss` removes the state after this reducer has handled it. Removing the state, or replacing it with state
    /// of another case or with another id, cancels the child's effects, whichever reducer does it. Alerts and dialogs
    /// are removed when one of their buttons is pressed; the effects of such a button continue. An action that is
    /// received while nothing is presented is reported.
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
            var ephemeral: EphemeralType?
            if let presented {
                ephemeral = EphemeralType(of: state[keyPath: toPresentation].wrappedValue)
                childEffect = Self.run(
                    child, presented, before.id.map { ChildID(place: ChildPlace(toPresentation), id: $0) },
                    isEphemeral: ephemeral != nil, &state[keyPath: toPresentation].wrappedValue,
                    embed: toPresentationAction.embed, file: file, line: line)
            }
            let effect = reduce(into: &state, action: action)
            var after = ChildIdentity(of: state[keyPath: toPresentation].wrappedValue)
            // Only if this reducer has not already removed or replaced the child: `.dismiss` must not remove a new
            // child.
            if after == before, let presented, presented.ends(ephemeral) {
                state[keyPath: toPresentation].wrappedValue = nil
                after = .absent
            }
            // The effects are those of a former child if this is another one, which has not run yet.
            let isSame = after == before
            let ending = EffectTask<Action>.ending(
                at: toPresentation, ran: isSame ? nil : before.id, exists: { isSame && $0 == after.id },
                owns: { isSame && after.owns($1, at: $0) })
            return .merge(childEffect, effect, ending)
        }
    }

    /// Removes the state of an alert or a dialog, which has no reducer of its own, when it is dismissed or one of its
    /// buttons is pressed.
    public func ifLet<ChildState: EphemeralState, ChildAction>(
        _ toPresentation: WritableKeyPath<State, PresentationState<ChildState>>,
        action toPresentationAction: CasePath<Action, PresentationAction<ChildAction>>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> {
        ifLet(
            toPresentation, action: toPresentationAction, destination: { EmptyReducer<ChildState, ChildAction>() },
            file: file, line: line)
    }

    /// Runs the child's reducer for an action of it. Reports an action without a child.
    private static func run<Child: ReducerProtocol>(
        _ child: Child, _ action: PresentationAction<Child.Action>, _ id: ChildID?, isEphemeral: Bool,
        _ state: inout Child.State?, embed: @escaping (PresentationAction<Child.Action>) -> Action,
        file: StaticString, line: UInt
    ) -> EffectTask<Action> {
        func report(_ action: some Any) {
            MissingState.report(
                "nothing was presented", absence: "is not presented", action: action, file: file, line: line)
        }
        switch (action, id) {
        case (.dismiss, let id):
            if id == nil { report(action) }
            return .none
        case (.presented(let action), nil):
            report(action)
            return .none
        case (.presented(let action), let id?):
            return id.present(dismissal: embed(.dismiss), isEphemeral: isEphemeral) {
                (withWrapped(&state) { child.reduce(into: &$0, action: action) } ?? .none).map { embed(.presented($0)) }
            }
        }
    }
}

extension PresentationAction {
    fileprivate func ends(_ state: EphemeralType?) -> Bool {
        switch self {
        case .dismiss: true
        case .presented(let action): state?.sends(action) ?? false
        }
    }
}
