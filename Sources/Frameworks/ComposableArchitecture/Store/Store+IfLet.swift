public import CombineCore

extension Store {
    /// Calls one closure when optional state becomes non-nil and the other when it becomes nil. Calls the closure for the
    /// current state immediately.
    ///
    /// - Parameters:
    ///   - unwrap: Receives a store of the unwrapped state.
    ///   - else: Called when the state is nil.
    /// - Returns: A token that ends the calls when it is cancelled or released. Until then it keeps this store alive, which
    ///   may be a scoped store that nothing else refers to.
    public func ifLet<Wrapped>(
        then unwrap: @escaping (Store<Wrapped, Action>) -> Void, else: @escaping () -> Void = {}
    ) -> any Cancellable where State == Wrapped? {
        $state.removeDuplicates { ($0 == nil) == ($1 == nil) }
            .sink { state in
                if let state {
                    unwrap(self.unwrapped(from: state))
                } else {
                    `else`()
                }
            }
    }

    /// Returns a store of the unwrapped state. When the state becomes nil, the store keeps the last value.
    private func unwrapped<Wrapped>(from state: Wrapped) -> Store<Wrapped, Action> where State == Wrapped? {
        var last = state
        return scope { state in
            if let state { last = state }
            return last
        }
    }
}
