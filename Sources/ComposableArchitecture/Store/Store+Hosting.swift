import CombineCore
import Locking

extension Store {
    /// Has what is wrong with the store's reducers, and with the actions that it gets, reported to `handler`.
    package func reportIssues(to handler: @escaping @Sendable (ReportedIssue) -> Void) {
        home.issueHandler.withLock { $0 = handler }
    }

    /// Calls `body` when the state is about to change. The state can be read with ``committedState`` afterwards.
    package func observe(_ body: @escaping () -> Void) -> AnyCancellable {
        $state.dropFirst().sink { _ in body() }
    }

    /// The state that the action left which was worked off last.
    package var committedState: State { state }

    /// Sends an action for a client. Returns the state that it needs if that does not exist; the action has then changed
    /// nothing and started nothing. (Of an action that comes while another is being worked off, that is reported instead.)
    package func sendForClient(_ action: Action) -> MissingState? {
        dispatch(action, isRefusable: true).missing
    }
}
