public import CasePaths

extension Store {
    /// A store of one case of an enum state: nil while the state is in another case.
    ///
    /// With ``ifLet(then:else:)`` it is what a view switches on: each case gets a store of what it carries.
    public func scope<CaseState, CaseAction>(
        state toCaseState: CasePath<State, CaseState>, action fromCaseAction: @escaping (CaseAction) -> Action
    ) -> Store<CaseState?, CaseAction> {
        scope(state: { toCaseState.extract(from: $0) }, action: fromCaseAction)
    }
}
