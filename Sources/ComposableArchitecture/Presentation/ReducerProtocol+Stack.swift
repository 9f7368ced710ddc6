public import CasePaths

extension ReducerProtocol {
    /// Runs an element's reducer on the elements of a stack, before this reducer.
    ///
    /// Actions push and pop elements after this reducer has handled them. Popping an element cancels its effects. An
    /// element that dismisses itself is popped.
    public func forEach<ElementState, ElementAction, Element: ReducerProtocol>(
        _ toStack: WritableKeyPath<State, StackState<ElementState>>,
        action toStackAction: CasePath<Action, StackAction<ElementState, ElementAction>>,
        @ReducerBuilder<ElementState, ElementAction> destination: () -> Element, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Element.State == ElementState, Element.Action == ElementAction {
        let element = destination()
        return Reduce { state, action in
            let before = state[keyPath: toStack].ids
            var elementEffect = EffectTask<Action>.none
            let stackAction = toStackAction.extract(from: action)
            if case .element(let id, let action)? = stackAction {
                let effect = state[keyPath: toStack].modify(id: id) {
                    Self.run(element, action, at: toStack, id, &$0, embed: toStackAction.embed)
                }
                if effect == nil {
                    MissingState.report(
                        "there was no element \(id) on the stack", summary: "there was no such element on the stack",
                        absence: MissingState.absence(ofElement: id), action: action, file: file, line: line)
                }
                elementEffect = effect ?? .none
            }
            let effect = reduce(into: &state, action: action)
            Self.apply(stackAction, to: &state[keyPath: toStack], file: file, line: line)
            let after = Set(state[keyPath: toStack].ids)
            let gone = before.filter { !after.contains($0) }
            let endings = gone.map { EffectTask<Action>.cancel(id: ChildID(at: toStack, id: $0)) }
            return .merge(elementEffect, effect, .merge(endings))
        }
    }

    private static func run<Element: ReducerProtocol>(
        _ element: Element, _ action: Element.Action, at place: AnyHashable, _ id: StackElementID,
        _ state: inout Element.State, embed: @escaping (StackAction<Element.State, Element.Action>) -> Action
    ) -> EffectTask<Action> {
        let child = ChildID(at: place, id: id)
        let signal = DismissSignal()
        var values = DependencyValues.current
        values.dismiss = DismissEffect(signal: signal)
        values.isPresented = true
        let effect: EffectTask<Action> = DependencyValues.$bound.withValue(values) {
            child.path.run { element.reduce(into: &state, action: action) }
                .map { embed(.element(id: id, action: $0)) }
        }
        if effect.isNone { return effect }
        return effect.bound(to: values).dismissing(with: embed(.popFrom(id: id)), on: signal).cancellable(id: child)
    }

    private static func apply<ElementState, ElementAction>(
        _ action: StackAction<ElementState, ElementAction>?, to stack: inout StackState<ElementState>,
        file: StaticString, line: UInt
    ) {
        switch action {
        case .popFrom(let id): stack.pop(from: id)
        case .push(let id, let state):
            if !stack.push(state, id: id) {
                Issues.report(
                    "expected an id that is new to the stack, got \(id)",
                    summary: "expected an id that is new to the stack",
                    severity: .warning, file: file, line: line)
            }
        case .element, nil: break
        }
    }
}
