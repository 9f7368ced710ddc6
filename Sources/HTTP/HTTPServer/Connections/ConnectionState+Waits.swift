import HTTP1

extension ConnectionState {
    /// The conditions that determine a wait, in addition to the phase.
    struct Circumstances {
        var isHandshaking = false
        var parserPhase = HTTP1RequestParser.Phase.idle
        /// Whether bytes of the next request are available.
        var hasInput = false
        var hasUnsentBytes = false
    }

    /// Returns the event that the connection waits for.
    @inline(__always)
    func wait(_ circumstances: Circumstances) -> ConnectionDeadlines.Wait {
        if circumstances.hasUnsentBytes { return .write }
        switch phase {
        case .reading(let isFirst):
            if circumstances.isHandshaking { return .handshake }
            switch circumstances.parserPhase {
            case .idle: return circumstances.hasInput ? .head : isFirst ? .firstRequest : .nextRequest
            case .head: return .head
            case .body: return .body
            }
        case .lingering: return .linger
        case .streaming: return readiness.contains(.peerFinished) ? .content : .none
        case .received, .awaitingResponse, .responding, .leaving, .lent, .upgrading, .closed: return .none
        }
    }

    /// Whether a stream of events is being sent.
    @inline(__always)
    var sendsEvents: Bool {
        if case .streaming(let body) = phase { body.sendsEvents } else { false }
    }
}
