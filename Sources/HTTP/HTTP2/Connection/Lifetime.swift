import HTTPModel

/// The lifetime of a connection: its handshake, idle time, age and the two notices of its end (RFC 9113 §6.8). A state
/// machine without a clock.
struct Lifetime: Sendable {
    /// The action that is due.
    enum Step: Hashable {
        case nothing
        /// Ask the client to open no more streams.
        case announce
        /// Announce the last accepted stream.
        case conclude
        /// End the connection: the client has not completed its handshake in time.
        case timeOut
    }

    private enum Phase {
        case handshake
        case open
        case announced(since: MonotonicTime)
        case concluded
    }

    private let handshakeTimeout: Duration
    private let idleTimeout: Duration
    private let drainGrace: Duration
    private let opened: MonotonicTime
    private let oldest: MonotonicTime?
    private var phase = Phase.handshake
    /// The time since which there have been no streams.
    private(set) var idleSince: MonotonicTime?

    /// Creates the lifetime of a connection that begins now. `jitter` shortens its age by a part of a tenth.
    init(limits: HTTP2Limits, now: MonotonicTime, jitter: Double) {
        handshakeTimeout = limits.handshakeTimeout
        idleTimeout = limits.idleTimeout
        drainGrace = limits.drainGrace
        opened = now
        idleSince = now
        oldest = limits.maximumAge.map { now + $0 - $0 * (min(max(jitter, 0), 1) / 10) }
    }

    /// Records that the client's settings have arrived.
    mutating func settingsReceived(now: MonotonicTime) {
        guard case .handshake = phase else { return }
        phase = .open
        if idleSince != nil { idleSince = now }
    }

    mutating func streamsChanged(count: Int, now: MonotonicTime) {
        if count > 0 { idleSince = nil } else if idleSince == nil { idleSince = now }
    }

    /// Begins a drain; returns whether it has to be announced. It is announced only once.
    mutating func drain(now: MonotonicTime) -> Bool {
        switch phase {
        case .handshake, .open:
            phase = .announced(since: now)
            return true
        case .announced, .concluded: return false
        }
    }

    /// Records that the client has acknowledged the ping after the announcement. Returns whether the last stream must
    /// be announced now.
    mutating func noticeWasAcknowledged(now: MonotonicTime) -> Bool {
        guard case .announced = phase else { return false }
        phase = .concluded
        return true
    }

    /// The time of the next action.
    var deadline: MonotonicTime? {
        switch phase {
        case .handshake: opened + handshakeTimeout
        case .open: MonotonicTime.earliest(idleSince.map { $0 + idleTimeout }, oldest)
        case .announced(let since): since + drainGrace
        case .concluded: nil
        }
    }

    /// Returns the action that is due.
    mutating func timePassed(now: MonotonicTime) -> Step {
        guard let deadline, deadline <= now else { return .nothing }
        switch phase {
        case .handshake: return .timeOut
        case .open:
            phase = .announced(since: now)
            return .announce
        case .announced:
            phase = .concluded
            return .conclude
        case .concluded: return .nothing
        }
    }
}

extension MonotonicTime {
    static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime { time + (.zero - duration) }
}
