public import CombineCore

extension Store {
    /// Calls one closure whenever optional state comes into being, and the other whenever it goes; the one that is right
    /// now is called at once.
    ///
    /// - Parameters:
    ///   - unwrap: Gets a store of the state that came into being.
    ///   - else: Called when there is none.
    /// - Returns: What stops the calls when it is cancelled or goes away.
    public func ifLet<Wrapped>(
        then unwrap: @escaping (Store<Wrapped, Action>) -> Void, else: @escaping () -> Void = {}
    ) -> any Cancellable where State == Wrapped? {
        $state.removeDuplicates { ($0 == nil) == ($1 == nil) }
            .sink { [weak self] state in
                if let state, let self {
                    unwrap(unwrapped(from: state))
                } else {
                    `else`()
                }
            }
    }

    /// A store of the state that is there, which keeps the last one when it has gone.
    private func unwrapped<Wrapped>(from state: Wrapped) -> Store<Wrapped, Action> where State == Wrapped? {
        var last = state
        return scope { state in
            if let state { last = state }
            return last
        }
    }
}
