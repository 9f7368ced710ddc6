/// The time at which a ``TestStore`` runs the reducer for an action that an effect sent.
public enum ReceivedActionReduction: Equatable, Sendable {
    /// When the effect sends the action, as in a live store and in version 0.8 of the original and later. The order of
    /// actions is the one that users see.
    case onArrival
    /// When the test receives the action, as in version 0.7. The action's effects start with that step, so a clock that
    /// was advanced earlier does not affect them.
    case onReceive
}
