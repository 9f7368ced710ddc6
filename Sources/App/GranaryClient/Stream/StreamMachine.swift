import HTTPModel

/// The one stream of a client for all its sessions: a state machine without I/O.
///
/// Its owner opens and closes the stream, keeps one timer and one watchdog, and reports all events. The machine
/// keeps the position of each session, and continues from there after every interruption.
struct StreamMachine: Sendable {
    /// The action that the owner performs next.
    enum Action: Equatable {
        /// Opens a stream, after closing the current one.
        case open(sessions: [String], position: String?)
        case close
        /// Calls ``waited(at:)`` after a time, in place of an earlier wait.
        case wait(Duration)
        /// Calls ``watched(at:jitter:)`` after a time.
        case watch(Duration)
        /// Renews the credential that the stream was opened with, and calls ``credentialRenewed(_:at:jitter:)``.
        case renewCredential
        /// Passes the state or a turn to a session.
        case deliver(SessionEvent)
    }

    struct SessionEvent: Equatable {
        enum Kind: Equatable {
            case snapshot
            case change
            case end(SessionEnd)
        }

        let session: String
        let kind: Kind
        /// The position after the event; empty for an end.
        let position: String
        /// The outputs as JSON; empty for an end.
        let data: [UInt8]
    }

    /// A session that the client follows.
    struct Entry: Equatable {
        let id: String
        /// The position after the last event; nil before the first.
        var position: String?
        /// Whether the stream has shown the session since it was opened.
        var isLive = false
        /// The number of times in a row that the session's part of the stream was refused for the time being.
        var refusals = 0
        /// The number of times in a row that the credential was rejected for the session.
        var rejections = 0
        /// The reason why the session is no longer requested; nil if it is requested.
        var suspension: SessionEnd?
    }

    enum State: Equatable {
        /// There is nothing to follow.
        case idle
        /// The owner waits, and opens the stream then.
        case waiting(isOffline: Bool)
        case awaitingCredential
        case opening
        case open
        /// The client has given up.
        case stopped(SessionEnd)
    }

    /// The number of sessions that one stream can have.
    static let maxSessions = 64
    /// How long the machine waits for further sessions before it opens the stream again.
    static let gathering = Duration.milliseconds(10)
    /// The number of times that a rejected credential is renewed without an event in between.
    static let maxRejections = 3

    let policy: RetryPolicy
    /// How long the stream may be silent: the server sends a comment every 15 s.
    let silence: Duration
    /// The size up to which one event is received.
    let maxEventBytes: Int
    /// Whether there can be another credential after one was rejected.
    let canRenewCredential: Bool
    var state = State.idle
    var entries: [Entry] = []
    /// Whether the set of sessions has changed since the stream was opened.
    var needsReopening = false
    var failures = 0
    var rejections = 0
    var firstEvent: Duration?
    private var lastActivity = Duration.zero
    private var parser = EventStreamParser()
    private var bytesOfEvent = 0

    init(
        policy: RetryPolicy, silence: Duration = .seconds(45), maxEventBytes: Int = 16 << 20,
        canRenewCredential: Bool = true
    ) {
        self.policy = policy
        self.silence = silence
        self.maxEventBytes = maxEventBytes
        self.canRenewCredential = canRenewCredential
    }

    /// Returns whether a session is followed.
    func status(of session: String) -> SessionStatus {
        guard let entry = entries.first(where: { $0.id == session }) else { return .ended(.closed) }
        if let suspension = entry.suspension { return .ended(suspension) }
        if entry.isLive { return .live }
        return switch state {
        case .stopped(let reason): .ended(reason)
        case .waiting(isOffline: true): .offline
        case .idle, .waiting, .awaitingCredential, .opening, .open: .connecting
        }
    }

    /// The sessions that the stream is opened for.
    var requested: [Entry] { entries.filter { $0.suspension == nil } }

    /// Takes the head of a response that is an event stream.
    mutating func opened(at now: Duration) -> [Action] {
        guard state == .opening else { return [] }
        state = .open
        lastActivity = now
        return []
    }

    /// Takes a complete response that is not an event stream.
    mutating func refused(_ response: ClientResponse, at now: Duration, jitter: Double) -> [Action] {
        guard state == .opening else { return [] }
        switch response.status {
        case 204: return requested.flatMap { end($0.id, .unknown) }
        case 401: return rejected()
        // 200: something in between has answered, such as the sign-in page of a network.
        case 200, 408, 421, 425, 429, 500...:
            return lost(at: now, jitter: jitter, atLeast: response.retryAfter)
        // A proxy that does not find its server says so as well.
        case 404 where !response.problem.isOfServer, 410 where !response.problem.isOfServer:
            return lost(at: now, jitter: jitter, atLeast: response.retryAfter)
        default: return stop(.refused(response.problem))
        }
    }

    mutating func received(_ bytes: [UInt8], at now: Duration, jitter: Double) -> [Action] {
        guard state == .open else { return [] }
        lastActivity = now
        let events = parser.receive(bytes)
        bytesOfEvent = events.isEmpty ? bytesOfEvent + bytes.count : 0
        guard bytesOfEvent <= maxEventBytes else { return lost(at: now, jitter: jitter) }
        var actions: [Action] = []
        for event in events where state == .open { actions += take(event, at: now, jitter: jitter) }
        return actions
    }

    /// Takes the end or the loss of the stream.
    mutating func disconnected(at now: Duration, jitter: Double) -> [Action] {
        guard state == .open || state == .opening else { return [] }
        return lost(at: now, jitter: jitter)
    }

    /// The time of the watchdog is over.
    mutating func watched(at now: Duration, jitter: Double) -> [Action] {
        guard state == .open || state == .opening else { return [] }
        let rest = silence - (now - lastActivity)
        return rest > .zero ? [.watch(rest)] : lost(at: now, jitter: jitter)
    }

    /// The time of the last wait is over.
    mutating func waited(at now: Duration) -> [Action] {
        switch state {
        case .waiting: return open(at: now)
        case .open, .opening: return needsReopening ? open(at: now) : []
        case .idle, .awaitingCredential, .stopped: return []
        }
    }

    /// The credential was renewed, or could not be renewed at the moment.
    mutating func credentialRenewed(_ isRenewed: Bool, at now: Duration, jitter: Double) -> [Action] {
        guard state == .awaitingCredential else { return [] }
        return isRenewed ? open(at: now) : lost(at: now, jitter: jitter)
    }

    /// There is no other credential.
    mutating func credentialIsFinal() -> [Action] {
        state == .awaitingCredential ? stop(.unauthorized) : []
    }

    /// Opens a stream for all sessions from their positions.
    mutating func open(at now: Duration) -> [Action] {
        let requested = requested
        needsReopening = false
        guard !requested.isEmpty else {
            state = .idle
            return [.close]
        }
        state = .opening
        parser = EventStreamParser()
        bytesOfEvent = 0
        firstEvent = nil
        lastActivity = now
        let position = requested.compactMap(\.position).joined(separator: "~")
        return [
            .open(sessions: requested.map(\.id), position: position.isEmpty ? nil : position), .watch(silence),
        ]
    }

    /// The delay that the stream has asked for.
    var retry: Duration { parser.retry ?? .zero }
}
