/// The time limits of a connection's waits, decided without I/O. Each event has a method, which returns the action that
/// the connection must perform.
struct ConnectionDeadlines {
    enum Wait {
        /// No event of the peer: the server must act.
        case none
        /// The end of the TLS handshake.
        case handshake
        /// The first byte of the first request.
        case firstRequest
        /// The first byte of another request.
        case nextRequest
        case head
        case body
        /// The peer must accept bytes.
        case write
        /// The peer must close its side after the last response.
        case linger
        /// Content for a peer that has closed its sending side. Whether the peer still exists becomes known only when
        /// content is sent.
        case content
    }

    /// The conditions that affect a deadline, in addition to the wait and the configured times.
    struct Conditions {
        var isDraining = false
        /// While the server drains, the time until which a connection may wait for another request.
        var restEnd: UInt64 = 0
        /// The number of received bytes of the body.
        var bodyCount = 0
        /// Whether only the write timeout limits how slowly the peer may read.
        var sendsEvents = false
    }

    private(set) var wait = Wait.none
    private(set) var start: UInt64 = 0
    private var progress = AcknowledgedProgress()
}

extension ConnectionDeadlines {
    /// Sets the event that the connection waits for. If it is a different event, the wait starts now.
    mutating func update(to next: Wait, at now: UInt64) {
        guard next != wait else { return }
        begin(next, at: now)
    }

    /// Starts a new wait for an event.
    mutating func begin(_ next: Wait, at now: UInt64) {
        wait = next
        start = now
    }

    /// Records that the peer has done its part. The next ``update(to:at:)`` starts a new wait, even for the same event.
    mutating func restart() { wait = .none }

    /// Returns the time at which ``timePassed(now:_:_:)`` must be called, or `nil` if the wait has no limit.
    func deadline(_ times: ConnectionTimes, _ conditions: Conditions) -> UInt64? {
        switch wait {
        case .none: nil
        // The client has sent no request yet and may never send one. So a server that shuts down waits only as long as
        // for a peer that has to close its side.
        case .firstRequest where conditions.isDraining: start + min(times.head, times.linger)
        case .handshake where conditions.isDraining: start + min(times.handshake, times.linger)
        case .handshake: start + times.handshake
        case .firstRequest, .head: start + times.head
        case .nextRequest where conditions.isDraining: min(start + times.idle, conditions.restEnd)
        case .nextRequest: min(start + times.idle, nextCheck(times, conditions))
        case .body: start + times.body(received: conditions.bodyCount)
        case .write: min(start + times.write, nextCheck(times, conditions))
        case .content: start + times.progressCheck
        case .linger: progress.checkedAt >= start ? progress.nextCheck : start + times.linger
        }
    }

    enum Action: Equatable {
        case none
        /// Wait for the same event until the next deadline.
        case wait
        /// The deadline was moved to this time.
        case wake(at: UInt64)
        case close
        /// Close so that the kernel discards unsent bytes.
        case abort
        /// Respond to the incomplete request with an error, and close.
        case refuse
        /// Query the number of bytes that the peer has acknowledged, and report it with
        /// ``progressWasChecked(_:hasUnsentBytes:now:_:)``.
        case checkProgress
    }

    /// Returns the action for a deadline that has passed. The deadline may have been moved in the meantime.
    func timePassed(now: UInt64, _ times: ConnectionTimes, _ conditions: Conditions) -> Action {
        guard let deadline = deadline(times, conditions) else { return .none }
        guard deadline <= now else { return .wake(at: deadline) }
        switch wait {
        case .none: return .none
        case .handshake, .firstRequest, .content: return .close
        case .head, .body: return .refuse
        case .linger: return .checkProgress
        case .write: return start + times.write <= now ? .abort : .checkProgress
        case .nextRequest:
            let isOver = start + times.idle <= now || conditions.isDraining && conditions.restEnd <= now
            return isOver ? .close : .checkProgress
        }
    }
}

// A response that the kernel has accepted may not have reached the peer yet. A peer that reads a few bytes now and then
// could hold the connection and the kernel's memory indefinitely, while the connection looks idle to the server. So a
// connection that waits for its next request, for the socket or for the peer to close its side queries the kernel for
// the acknowledged bytes.
extension ConnectionDeadlines {
    private func nextCheck(_ times: ConnectionTimes, _ conditions: Conditions) -> UInt64 {
        if conditions.sendsEvents { return .max }
        return progress.checkedAt >= start ? progress.nextCheck : start + times.progressCheck
    }

    /// Returns the action after the kernel was queried for the acknowledged bytes. `peer` is `nil` if the kernel does
    /// not know them.
    mutating func progressWasChecked(
        _ peer: PeerProgress?, hasUnsentBytes: Bool, now: UInt64, _ times: ConnectionTimes
    ) -> Action {
        guard let peer, peer.hasOutstandingBytes || hasUnsentBytes else {
            // The peer has received all bytes, or its socket is not a TCP socket and the peer is on this machine.
            if case .linger = wait { return .close }
            progress = AcknowledgedProgress(checkedAt: now, acknowledged: peer?.acknowledged ?? 0, nextCheck: .max)
            return .wait
        }
        // A peer that reads many bytes at a time may pause in between, but no longer than a peer whose socket accepts
        // nothing.
        let earned = times.answer(acknowledged: peer.acknowledged &- progress.acknowledged)
        let latest = now + times.progressCheck + times.write
        let isFirst = progress.checkedAt < start
        let due = min((isFirst ? now + times.progressCheck : progress.nextCheck) + earned, latest)
        guard due > now else { return .abort }
        progress = AcknowledgedProgress(checkedAt: now, acknowledged: peer.acknowledged, nextCheck: due)
        return .wait
    }
}
