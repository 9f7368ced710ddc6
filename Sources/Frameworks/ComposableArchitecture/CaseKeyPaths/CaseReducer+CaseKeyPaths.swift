public import CasePaths

extension ReducerProtocol {
    /// Runs the reducer of the presented case, before this reducer.
    ///
    /// - Parameters:
    ///   - toPresentation: The presented state: `\.$destination`.
    ///   - toPresentationAction: The case of the actions.
    ///   - file: The file that an issue is reported for.
    ///   - line: The line that an issue is reported for.
    public func ifLet<ChildState: CaseReducerState, ChildAction>(
        _ toPresentation: WritableKeyPath<State, PresentationState<ChildState>>,
        action toPresentationAction: CaseKeyPath<Action, PresentationAction<ChildAction>>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> where ChildState.StateReducer.Action == ChildAction {
        ifLet(
            toPresentation, action: AnyCasePath(toPresentationAction), destination: { ChildState.StateReducer.body },
            file: file, line: line)
    }

    /// Runs the reducer of an element's case on the elements of a stack, before this reducer.
    ///
    /// - Parameters:
    ///   - toStack: The stack: `\.path`.
    ///   - toStackAction: The case of the actions.
    ///   - file: The file that an issue is reported for.
    ///   - line: The line that an issue is reported for.
    public func forEach<ElementState: CaseReducerState, ElementAction>(
        _ toStack: WritableKeyPath<State, StackState<ElementState>>,
        action toStackAction: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> Reduce<State, Action> where ElementState.StateReducer.Action == ElementAction {
        forEach(
            toStack, action: AnyCasePath(toStackAction), destination: { ElementState.StateReducer.body }, file: file,
            line: line)
    }
}
