public import CasePaths

extension Store {
    /// Returns a store of the value of one case of an enum state, or of nil while the state is in another case.
    ///
    /// Combine it with ``ifLet(then:else:)`` to show a different view for each case.
    public func scope<CaseState, CaseAction>(
        state toCaseState: CasePath<State, CaseState>, action fromCaseAction: @escaping (CaseAction) -> Action
    ) -> Store<CaseState?, CaseAction> {
        scope(state: { toCaseState.extract(from: $0) }, action: fromCaseAction)
    }
}
