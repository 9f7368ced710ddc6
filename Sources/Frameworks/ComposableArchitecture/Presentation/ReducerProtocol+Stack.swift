public import CasePaths

extension ReducerProtocol {
    /// Runs an element's reducer on the elements of a stack, before this reducer.
    ///
    /// An action that pushes an element does so before this reducer handles it, and one that pops elements afterwards.
    /// Removing an element cancels its effects, whichever reducer does it. An element that dismisses itself is popped.
    /// An action for an element that does not exist is reported.
    public func forEach<ElementState, ElementAction, Element: ReducerProtocol>(
        _ toStack: WritableKeyPath<State, StackState<ElementState>>,
        action toStackAction: CasePath<Action, StackAction<ElementState, ElementAction>>,
        @ReducerBuilder<ElementState, ElementAction> destination: () -> Element, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Element.State == ElementState, Element.Action == ElementAction {
        let element = destination()
        return Reduce { state, action in
            let stackAction = toStackAction.extract(from: action)
            let target = stackAction.flatMap { state[keyPath: toStack].target(of: $0, file: file, line: line) }
            var elementEffect = EffectTask<Action>.none
            switch (stackAction, target) {
            case (.element(_, let action)?, let id?):
                let effect = state[keyPath: toStack].modify(id: id) {
                    Self.run(element, action, at: toStack, id, &$0, embed: toStackAction.embed)
                }
                elementEffect = effect ?? .none
            case (.push(_, let new)?, let id?): state[keyPath: toStack].push(new, id: id)
            default: break
            }
            let effect = reduce(into: &state, action: action)
            if case .popFrom? = stackAction, let target { state[keyPath: toStack].pop(from: target) }
            let stack = state[keyPath: toStack]
            let ending = EffectTask<Action>.ending(
                at: toStack, ran: elementEffect.isNone ? nil : target.map { AnyHashable($0) },
                exists: { id in (id.base as? StackElementID).map { stack.contains(id: $0) } ?? false },
                owns: { place, name in stack.ids.contains { ChildID(place: place, id: $0).owns(name) } })
            return .merge(elementEffect, effect, ending)
        }
    }

    private static func run<Element: ReducerProtocol>(
        _ element: Element, _ action: Element.Action, at step: AnyHashable, _ id: StackElementID,
        _ state: inout Element.State, embed: @escaping (StackAction<Element.State, Element.Action>) -> Action
    ) -> EffectTask<Action> {
        ChildID(place: ChildPlace(step), id: id).present(dismissal: embed(.popFrom(id: id))) {
            element.reduce(into: &state, action: action).map { embed(.element(id: id, action: $0)) }
        }
    }
}

extension StackState {
    /// Returns the id of the element that an action is about. Reports one that does not exist, and a new one that does.
    fileprivate func target<Action>(
        of action: StackAction<Element, Action>, file: StaticString, line: UInt
    ) -> StackElementID? {
        func report(_ id: StackElementID, _ action: some Any) {
            MissingState.report(
                "there was no element \(id) on the stack", summary: "there was no such element on the stack",
                absence: MissingState.absence(ofElement: id), action: action, file: file, line: line)
        }
        switch action {
        case .element(let id, let action):
            if contains(id: id) { return id }
            report(id, action)
        case .popFrom(let id):
            if contains(id: id) { return id }
            report(id, action)
        case .push(let id, _):
            if !contains(id: id) { return id }
            Issues.report(
                "expected an id that is new to the stack, got \(id)",
                summary: "expected an id that is new to the stack", severity: .warning, file: file, line: line)
        }
        return nil
    }
}
