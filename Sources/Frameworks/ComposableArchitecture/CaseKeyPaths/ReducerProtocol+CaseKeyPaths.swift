public import CasePaths

extension ReducerProtocol {
    /// Runs a child's reducer on optional state, before this reducer. The action's case is named by a key path.
    public func ifLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: WritableKeyPath<State, ChildState?>, action toChildAction: CaseKeyPath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        ifLet(toChildState, action: AnyCasePath(toChildAction), then: child, file: file, line: line)
    }

    /// Removes the optional state of an alert or a dialog, which has no reducer of its own, when one of its buttons is
    /// pressed. The action's case is named by a key path.
    public func ifLet<ChildState: EphemeralState, ChildAction>(
        _ toChildState: WritableKeyPath<State, ChildState?>, action toChildAction: CaseKeyPath<Action, ChildAction>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> {
        ifLet(toChildState, action: AnyCasePath(toChildAction), file: file, line: line)
    }

    /// Runs a child's reducer on presented state, before this reducer. The action's case is named by a key path.
    public func ifLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toPresentation: WritableKeyPath<State, PresentationState<ChildState>>,
        action toPresentationAction: CaseKeyPath<Action, PresentationAction<ChildAction>>,
        @ReducerBuilder<ChildState, ChildAction> destination: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        ifLet(
            toPresentation, action: AnyCasePath(toPresentationAction), destination: destination, file: file, line: line)
    }

    /// Removes presented state without a reducer of its own, such as that of an alert, when it is dismissed or one of its
    /// buttons is pressed.
    public func ifLet<ChildState, ChildAction>(
        _ toPresentation: WritableKeyPath<State, PresentationState<ChildState>>,
        action toPresentationAction: CaseKeyPath<Action, PresentationAction<ChildAction>>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> {
        ifLet(
            toPresentation, action: AnyCasePath(toPresentationAction),
            destination: { EmptyReducer<ChildState, ChildAction>() }, file: file, line: line)
    }

    /// Runs a child's reducer on the value of one case of the state, before this reducer. Key paths name the cases.
    public func ifCaseLet<ChildState, ChildAction, Child: ReducerProtocol>(
        _ toChildState: CaseKeyPath<State, ChildState>, action toChildAction: CaseKeyPath<Action, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> then child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Child.State == ChildState, Child.Action == ChildAction {
        ifCaseLet(
            AnyCasePath(toChildState), action: AnyCasePath(toChildAction), then: child, file: file, line: line)
    }

    /// Runs an element's reducer on the elements of an identified array, before this reducer. The action's case is named by
    /// a key path.
    public func forEach<ID: Hashable, ElementState, ElementAction, Element: ReducerProtocol>(
        _ toElements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
        action toElementAction: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
        @ReducerBuilder<ElementState, ElementAction> element: () -> Element, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Element.State == ElementState, Element.Action == ElementAction {
        let path = AnyCasePath(toElementAction)
        let pairs = CasePath<Action, (ID, ElementAction)>(
            embed: { path.embed(.element(id: $0.0, action: $0.1)) },
            extract: { action in
                guard case .element(let id, let elementAction)? = path.extract(from: action) else { return nil }
                return (id, elementAction)
            })
        return forEach(toElements, action: pairs, element: element, file: file, line: line)
    }

    /// Runs an element's reducer on the elements of a stack, before this reducer. The action's case is named by a key path.
    public func forEach<ElementState, ElementAction, Element: ReducerProtocol>(
        _ toStack: WritableKeyPath<State, StackState<ElementState>>,
        action toStackAction: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>,
        @ReducerBuilder<ElementState, ElementAction> destination: () -> Element, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Reduce<State, Action> where Element.State == ElementState, Element.Action == ElementAction {
        forEach(toStack, action: AnyCasePath(toStackAction), destination: destination, file: file, line: line)
    }
}

extension Scope {
    /// Creates a reducer that runs child reducers on a property of the state. The action's case is named by a key path.
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: WritableKeyPath<ParentState, ChildState>,
        action toChildAction: CaseKeyPath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
    ) where Child.State == ChildState, Child.Action == ChildAction {
        self.init(state: toChildState, action: AnyCasePath(toChildAction), child)
    }

    /// Creates a reducer that runs child reducers on the value of one case of the state. Key paths name the cases.
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: CaseKeyPath<ParentState, ChildState>,
        action toChildAction: CaseKeyPath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) where Child.State == ChildState, Child.Action == ChildAction {
        self.init(
            state: AnyCasePath(toChildState), action: AnyCasePath(toChildAction), child, file: file, line: line)
    }

    /// Creates a reducer that runs child reducers on a property of the state, in the spelling with a label.
    @_disfavoredOverload
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: WritableKeyPath<ParentState, ChildState>,
        action toChildAction: CaseKeyPath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> child: () -> Child
    ) where Child.State == ChildState, Child.Action == ChildAction {
        self.init(state: toChildState, action: AnyCasePath(toChildAction), child)
    }

    /// Creates a reducer that runs child reducers on the value of one case of the state, in the spelling with a label.
    @_disfavoredOverload
    public init<ChildState, ChildAction, Child: ReducerProtocol>(
        state toChildState: CaseKeyPath<ParentState, ChildState>,
        action toChildAction: CaseKeyPath<ParentAction, ChildAction>,
        @ReducerBuilder<ChildState, ChildAction> child: () -> Child, file: StaticString = #fileID,
        line: UInt = #line
    ) where Child.State == ChildState, Child.Action == ChildAction {
        self.init(
            state: AnyCasePath(toChildState), action: AnyCasePath(toChildAction), child, file: file, line: line)
    }
}
