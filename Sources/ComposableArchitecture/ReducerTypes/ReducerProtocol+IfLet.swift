public import CasePaths

extension ReducerProtocol {
    /// Runs a child's reducer on optional state, before this reducer.
    ///
    /// When the state becomes nil or is replaced by state with another id, the child's effects are cancelled. An action
    /// of the child that is received while the state is nil is reported and ignored.
    public func ifLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: WritableKeyPath<State, ChildState?>, action toChildAction: CasePath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        let reducer = child()
        return Reduce { state, action in
            let before = ChildIdentity(of: state[keyPath: toChildState])
            let childEffect = toChildAction.extract(from: action).map { action -> EffectTask<Action> in
                guard let child = before.child(at: toChildState) else {
                    MissingState.report("the state was nil", absence: "is nil", action: action, file: file, line: line)
                    return .none
                }
                return child.run {
                    withWrapped(&state[keyPath: toChildState]) { reducer.reduce(into: &$0, action: action) } ?? .none
                }
                .map(toChildAction.embed)
            }
            let effect = reduce(into: &state, action: action)
            let after = ChildIdentity(of: state[keyPath: toChildState])
            let ending = before == after ? nil : before.child(at: toChildState)
            return .merge(childEffect ?? .none, effect, .ending(ending))
        }
    }

    /// Runs a child's reducer on the value of one case of the state, before this reducer.
    ///
    /// When the state leaves the case, the child's effects are cancelled. An action of the child that is received while
    /// the state is in another case is reported and ignored.
    public func ifCaseLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: CasePath<State, ChildState>, action toChildAction: CasePath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        let reducer = child()
        let place = CallSite(file: file, line: line)
        return Reduce { state, action in
            let before = ChildIdentity(of: toChildState.extract(from: state))
            let childEffect = toChildAction.extract(from: action).map { action -> EffectTask<Action> in
                guard let child = before.child(at: place), var childState = toChildState.extract(from: state) else {
                    MissingState.report(
                        "the state was in another case", absence: "is not the current case", action: action, file: file,
                        line: line)
                    return .none
                }
                let effect = child.run { reducer.reduce(into: &childState, action: action) }
                state = toChildState.embed(childState)
                return effect.map(toChildAction.embed)
            }
            let effect = reduce(into: &state, action: action)
            let after = ChildIdentity(of: toChildState.extract(from: state))
            let ending = before == after ? nil : before.child(at: place)
            return .merge(childEffect ?? .none, effect, .ending(ending))
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
            let before = state[keyPath: toElements].ids
            let elementEffect = toElementAction.extract(from: action).map { id, action -> EffectTask<Action> in
                let effect = state[keyPath: toElements].modify(id: id) { state in
                    ChildID(at: toElements, id: id).run { element.reduce(into: &state, action: action) }
                }
                guard let effect else {
                    MissingState.report(element: id, action: action, file: file, line: line)
                    return .none
                }
                return effect.map { toElementAction.embed((id, $0)) }
            }
            let effect = reduce(into: &state, action: action)
            let elements = state[keyPath: toElements]
            let gone = before.filter { elements.index(id: $0) == nil }.map { ChildID(at: toElements, id: $0) }
            return .merge(elementEffect ?? .none, effect, .merge(gone.map { EffectTask<Action>.cancel(id: $0) }))
        }
    }
}

extension Effect {
    /// Returns an effect that cancels the effects of a removed child.
    static func ending(_ child: ChildID?) -> Effect {
        child.map { .cancel(id: $0) } ?? .none
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
