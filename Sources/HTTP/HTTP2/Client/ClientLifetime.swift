import HTTPModel

/// The lifetime of a client's connection: its handshake, pings and idle time. A state machine without a clock.
struct ClientLifetime: Sendable {
    /// The action that is due.
    enum Step: Hashable {
        case nothing
        case ping
        /// Close the connection, which has no streams.
        case drain
        case end(HTTP2Ending)
    }

    private enum Phase {
        case handshake
        case open
        case draining
    }

    private let limits: HTTP2ClientLimits
    private let opened: MonotonicTime
    private var phase = Phase.handshake
    /// The time at which the server's last bytes arrived.
    private var heard: MonotonicTime
    /// The time of a ping, until bytes arrive.
    private var pinged: MonotonicTime?
    /// The time since which there have been no requests.
    private var idleSince: MonotonicTime?

    init(limits: HTTP2ClientLimits, now: MonotonicTime) {
        self.limits = limits
        opened = now
        heard = now
        idleSince = now
    }

    /// Records that bytes have arrived. Whatever they are, the server is alive.
    mutating func bytesReceived(now: MonotonicTime) {
        heard = now
        pinged = nil
    }

    /// Records that the server's settings have arrived.
    mutating func settingsReceived(now: MonotonicTime) {
        guard case .handshake = phase else { return }
        phase = .open
        if idleSince != nil { idleSince = now }
    }

    mutating func requestsChanged(count: Int, now: MonotonicTime) {
        if count == 0 {
            idleSince = idleSince ?? now
            pinged = nil
        } else {
            idleSince = nil
        }
    }

    /// Begins to drain; returns whether that has to be announced.
    mutating func drain() -> Bool {
        if case .draining = phase { return false }
        phase = .draining
        return true
    }

    /// The time of the next action.
    var deadline: MonotonicTime? {
        switch phase {
        case .handshake: opened + limits.connection.handshakeTimeout
        case .open: idleSince.map { $0 + limits.connection.idleTimeout } ?? pingDeadline
        case .draining: idleSince == nil ? pingDeadline : nil
        }
    }

    private var pingDeadline: MonotonicTime? {
        if let pinged { return pinged + limits.pingTimeout }
        return limits.pingInterval.map { heard + $0 }
    }

    /// Returns the action that is due.
    mutating func timePassed(now: MonotonicTime) -> Step {
        guard let deadline, deadline <= now else { return .nothing }
        if case .handshake = phase { return .end(.handshakeTimeout) }
        if idleSince != nil { return .drain }
        if pinged != nil { return .end(.unresponsive) }
        pinged = now
        return .ping
    }
}
