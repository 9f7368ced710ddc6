/// The purpose of a listener and of all requests that arrive there.
public enum ListenerRole: UInt8, Sendable, Hashable, CaseIterable {
    /// For all clients.
    case `public`
    /// For operators: health checks and administration, but no requests of users.
    case admin
}
