/// What a listener is for, and with it every request that comes in there. One byte.
public enum ListenerRole: UInt8, Sendable, Hashable, CaseIterable {
    /// For everybody.
    case `public`
    /// For whoever runs the server: its health and what else operators ask for, and nothing that users do.
    case admin
}
