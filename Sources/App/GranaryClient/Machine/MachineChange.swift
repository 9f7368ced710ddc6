/// A change of a session as its client receives it: a turn, or the whole state.
public struct MachineChange<Schema: MachineSchema>: Sendable {
    /// The kind of a change.
    public enum Kind: Equatable, Sendable {
        /// One turn.
        case turn
        /// The whole state, in place of turns that the client has missed. Events of those turns are lost.
        case snapshot
        /// The state of another session, which took the place of one that has ended.
        case newSession(after: SessionEnd)
    }

    /// The kind.
    public let kind: Kind
    /// The version of the session after the change; nil if it is not known.
    public let version: UInt64?
    /// The names of the outputs that changed; for a snapshot, of all that have a value.
    public let changed: Set<String>
    /// All outputs after the change.
    public let outputs: Schema.Outputs
    /// The events that the turn has emitted, in order.
    public let events: [Schema.Events]
}
