public import CasePaths

extension ReducerProtocol {
    /// Runs a child's reducer on optional state, before this reducer.
    ///
    /// When the state becomes nil, or when this reducer replaces it with state of another case or with another id, the
    /// child's effects are cancelled. An alert or a dialog is removed when one of its buttons is pressed. An action of
    /// the child that is received while the state is nil is reported and ignored.
    public func ifLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: WritableKeyPath<State, ChildState?>, action toChildAction: CasePath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        let reducer = child()
        return Reduce { state, action in
            let initial = ChildIdentity(of: state[keyPath: toChildState])
            let childAction = toChildAction.extract(from: action)
            let isEphemeral = childAction != nil && EphemeralType(of: state[keyPath: toChildState]) != nil
            var childEffect = EffectTask<Action>.none
            if let childAction {
                childEffect = initial.run(at: toChildState, isEphemeral: isEphemeral) {
                    withWrapped(&state[keyPath: toChildState]) { reducer.reduce(into: &$0, action: childAction) }
                        ?? .none
                } otherwise: {
                    MissingState.report(
                        "the state was nil", absence: "is nil", action: childAction, file: file, line: line)
                }
                .map(toChildAction.embed)
            }
            let before = ChildIdentity(of: state[keyPath: toChildState])
            let effect = reduce(into: &state, action: action)
            var after = ChildIdentity(of: state[keyPath: toChildState])
            if isEphemeral, after == before {
                state[keyPath: toChildState] = nil
                after = .absent
            }
            return .merge(childEffect, effect, .ending(at: toChildState, initial, before, after))
        }
    }

    /// Removes the optional state of an alert or a dialog, which has no reducer of its own, when one of its buttons is
    /// pressed.
    public func ifLet<ChildState: EphemeralState, ChildAction>(
        _ toChildState: WritableKeyPath<State, ChildState?>, action toChildAction: CasePath<Action, ChildAction>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> {
        ifLet(
            toChildState, action: toChildAction, then: { EmptyReducer<ChildState, ChildAction>() }, file: file,
            line: line)
    }

    /// Runs a child's reducer on the value of one case of the state, before this reducer.
    ///
    /// When the state leaves the case, or when this reducer replaces the value with one with another id, the child's
    /// effects are cancelled. An action of the child that is received while the state is in another case is reported
    /// and ignored.
    public func ifCaseLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: CasePath<State, ChildState>, action toChildAction: CasePath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        let reducer = child()
        let place = CallSite(file: file, line: line)
        return Reduce { state, action in
            let initial = ChildIdentity(of: toChildState.extract(from: state), in: state)
            var childEffect = EffectTask<Action>.none
            if let childAction = toChildAction.extract(from: action) {
                childEffect = initial.run(at: place) {
                    guard var childState = toChildState.extract(from: state) else { return .none }
                    defer { state = toChildState.embed(childState) }
                    return reducer.reduce(into: &childState, action: childAction)
                } otherwise: {
                    MissingState.report(
                        "the state was in another case", absence: "is not the current case", action: childAction,
                        file: file, line: line)
                }
                .map(toChildAction.embed)
            }
            let before = ChildIdentity(of: toChildState.extract(from: state), in: state)
            let effect = reduce(into: &state, action: action)
            let after = ChildIdentity(of: toChildState.extract(from: state), in: state)
            return .merge(childEffect, effect, .ending(at: place, initial, before, after))
        }
    }

    /// Runs an element's reducer on the elements of an identified array, before this reducer.
    ///
    /// When an element is removed, its effects are cancelled. An action for an id that does not exist is reported and
    /// ignored.
    public func forEach<ID: Hashable, ElementState, ElementAction, Element: ReducerProtocol>(
        _ toElements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
        action toElementAction: CasePath<Action, (ID, ElementAction)>,
        @ReducerBuilder<ElementState, ElementAction> element: () -> Element, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Element.State == ElementState, Element.Action == ElementAction {
        let element = element()
        return Reduce { state, action in
            var ran: AnyHashable?
            let elementEffect = toElementAction.extract(from: action).map { id, action -> EffectTask<Action> in
                let effect = state[keyPath: toElements].modify(id: id) { state in
                    ChildID(place: ChildPlace(toElements), id: id).run {
                        element.reduce(into: &state, action: action)
                    }
                }
                guard let effect else {
                    MissingState.report(element: id, action: action, file: file, line: line)
                    return .none
                }
                if !effect.isNone { ran = id }
                return effect.map { toElementAction.embed((id, $0)) }
            }
            let effect = reduce(into: &state, action: action)
            let elements = state[keyPath: toElements]
            let ending = EffectTask<Action>.ending(
                at: toElements, ran: ran,
                exists: { id in (id.base as? ID).map { elements.index(id: $0) != nil } ?? false },
                owns: { place, name in elements.ids.contains { ChildID(place: place, id: $0).owns(name) } })
            return .merge(elementEffect ?? .none, effect, ending)
        }
    }
}

extension ChildIdentity {
    /// Runs the child's reducer, or `otherwise` if there is no child.
    fileprivate func run<Action>(
        at step: AnyHashable, isEphemeral: Bool = false, _ reduce: () -> EffectTask<Action>, otherwise: () -> Void
    ) -> EffectTask<Action> {
        guard let id else {
            otherwise()
            return .none
        }
        let child = ChildID(place: ChildPlace(step), id: id)
        // The effects of a button outlive its alert.
        return isEphemeral ? child.path.run(reduce) : child.run(reduce)
    }
}

extension Effect {
    /// Returns an effect that cancels the effects of a child that does not exist any more.
    ///
    /// - Parameters:
    ///   - step: The place of the child.
    ///   - initial: The child whose new effects are not running yet.
    ///   - before: The child before the parent's reducer. A child that changes its identity itself keeps its effects.
    ///   - after: The child after the action.
    fileprivate static func ending(
        at step: AnyHashable, _ initial: ChildIdentity, _ before: ChildIdentity, _ after: ChildIdentity
    ) -> Effect {
        if after == before, after != .absent { return .none }
        // All effects at the place are those of a former child: another one has not run yet.
        return .ending(at: step, ran: initial.id, exists: { _ in false }, owns: { _, _ in false })
    }
}

/// The call site of a composition. Identifies a child whose place in the state has no key path.
private struct CallSite: Hashable, CustomStringConvertible {
    private let file: UnsafePointer<UInt8>?
    private let line: UInt

    init(file: StaticString, line: UInt) {
        // `#fileID` strings are unique within a binary, so comparing their addresses is enough, and cheaper.
        self.file = file.hasPointerRepresentation ? file.utf8Start : nil
        self.line = line
    }

    /// The call site, in a form that is the same in each process of a build.
    var description: String { "\(file.map { String(cString: $0) } ?? ""):\(line)" }
}
