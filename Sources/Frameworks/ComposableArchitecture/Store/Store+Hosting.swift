import CombineCore
import Locking

extension Store {
    /// Sends the issues of the store's reducers, and of the actions that it receives, to `handler`.
    package func reportIssues(to handler: @escaping @Sendable (ReportedIssue) -> Void) {
        effectScope.issueHandler.withLock { $0 = handler }
    }

    /// Calls `body` when the state is about to change. Read the new state later from ``committedState``.
    package func observe(_ body: @escaping () -> Void) -> AnyCancellable {
        $state.dropFirst().sink { _ in body() }
    }

    /// The state after the last action that has been processed.
    package var committedState: State { state }

    /// Sends an action for a client.
    ///
    /// - Returns: The state that the action needs, if it does not exist. The action has then changed nothing and
    ///   started no effect. If another action is being processed, the issue is reported instead.
    package func sendForClient(_ action: Action) -> MissingState? {
        dispatch(action, isRefusable: true).missing
    }

    /// Runs an effect that no reducer of this process has returned.
    ///
    /// - Parameter names: The names of the cancellation ids under which the store's former life ran it. Cancelling one of these
    ///   ids cancels the effect.
    package func run(_ effect: EffectTask<Action>, cancellableBy names: [String]) {
        // From the innermost id outwards. The features that contain an effect are among the ids outside of its own.
        start(
            names.indices.reversed().reduce(effect) { effect, index in
                .attached { downstream, scope in
                    scope.attach(
                        downstream, to: effect, id: CancellationID(StoredID(name: names[index])),
                        owner: .stored(Array(names[..<index])), cancelInFlight: false)
                }
            })
    }

    package func sendForHost(_ action: Action) {
        _ = send(action)
    }
}
