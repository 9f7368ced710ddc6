import HTTPModel

/// How old a connection gets: its handshake, its idleness, its age and its two farewells (RFC 9113 §6.8). A state machine
/// that is told what happens and when, and says what to do.
struct Lifetime: Sendable {
    /// What is to be done.
    enum Step: Hashable {
        case nothing
        /// Tell the client to open no more streams.
        case announce
        /// Tell the client which stream was the last.
        case conclude
        /// The client has not begun in time.
        case giveUp
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
    /// Since when there is no stream.
    private(set) var idleSince: MonotonicTime?

    /// A connection that begins now. Its age is shortened by that part of a tenth.
    init(limits: HTTP2Limits, now: MonotonicTime, jitter: Double) {
        handshakeTimeout = limits.handshakeTimeout
        idleTimeout = limits.idleTimeout
        drainGrace = limits.drainGrace
        opened = now
        idleSince = now
        oldest = limits.maximumAge.map { now + $0 - $0 * (min(max(jitter, 0), 1) / 10) }
    }

    /// The client has sent its settings.
    mutating func settingsCame(now: MonotonicTime) {
        guard case .handshake = phase else { return }
        phase = .open
        if idleSince != nil { idleSince = now }
    }

    /// There are so many streams now.
    mutating func streamsChanged(count: Int, now: MonotonicTime) {
        if count > 0 { idleSince = nil } else if idleSince == nil { idleSince = now }
    }

    /// Whether a drain is to be announced now: not where that was done before.
    mutating func drain(now: MonotonicTime) -> Bool {
        switch phase {
        case .handshake, .open:
            phase = .announced(since: now)
            return true
        case .announced, .concluded: return false
        }
    }

    /// The client has answered the ping behind the announcement; whether that is to be concluded now.
    mutating func noticeWasHeard(now: MonotonicTime) -> Bool {
        guard case .announced = phase else { return false }
        phase = .concluded
        return true
    }

    /// When to ask again.
    var deadline: MonotonicTime? {
        switch phase {
        case .handshake: opened + handshakeTimeout
        case .open: [idleSince.map { $0 + idleTimeout }, oldest].compactMap { $0 }.min()
        case .announced(let since): since + drainGrace
        case .concluded: nil
        }
    }

    /// What is due.
    mutating func timePassed(now: MonotonicTime) -> Step {
        guard let deadline, deadline <= now else { return .nothing }
        switch phase {
        case .handshake: return .giveUp
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
