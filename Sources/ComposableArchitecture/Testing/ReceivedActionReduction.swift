/// When a ``TestStore`` runs the reducer for an action that an effect sent.
public enum ReceivedActionReduction: Equatable, Sendable {
    /// When the effect sends it, as in a live store and as in version 0.8 of the original and later: the order of actions
    /// is the one that users see.
    case onArrival
    /// When the test receives it, as in version 0.7: the effects of the action start with that step, so that a clock that
    /// was advanced before does not move them.
    case onReceive
}
