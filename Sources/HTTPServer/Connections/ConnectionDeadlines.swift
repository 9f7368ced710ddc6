/// How long a connection may wait for what it waits for, decided without I/O: one method per event, which returns the action
/// that the connection performs.
struct ConnectionDeadlines {
    /// What a connection waits for.
    enum Wait {
        /// Nothing of the peer: the server is to act.
        case none
        /// The end of the TLS handshake.
        case handshake
        /// The first byte of the first request.
        case firstRequest
        /// The first byte of another request.
        case nextRequest
        case head
        case body
        /// A peer that has to accept bytes.
        case write
        /// A peer that has to close its side after the last response.
        case linger
        /// Content for a peer that has closed its sending side. It may no longer exist, which only sending would show.
        case content
    }

    /// What a deadline depends on beside the wait and the configured times.
    struct Conditions {
        var isDraining = false
        /// While the server drains, the time until which a connection may wait for another request.
        var restEnd: UInt64 = 0
        /// Bytes of the body that have been received.
        var bodyCount = 0
        /// Whether only the write timeout limits how slowly the peer may read.
        var sendsEvents = false
    }

    private(set) var wait = Wait.none
    private(set) var start: UInt64 = 0
    private var progress = AcknowledgedProgress()
}

extension ConnectionDeadlines {
    /// The connection waits for this. The time runs from now if it waited for something else before.
    mutating func update(to next: Wait, at now: UInt64) {
        guard next != wait else { return }
        begin(next, at: now)
    }

    /// The connection waits for this from now on.
    mutating func begin(_ next: Wait, at now: UInt64) {
        wait = next
        start = now
    }

    /// The peer did what it had to do. The next ``update(to:at:)`` starts again, even with the same wait.
    mutating func restart() { wait = .none }

    /// Returns when ``timePassed(now:_:_:)`` is to be called, or `nil` if nothing limits the wait.
    func deadline(_ times: ConnectionTimes, _ conditions: Conditions) -> UInt64? {
        switch wait {
        case .none: nil
        // Nothing has been asked yet, and may never be: a server that shuts down waits no longer than for a peer that closes.
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
        /// The deadline has been put off to this time.
        case wake(at: UInt64)
        case close
        /// Close so that the kernel discards unsent bytes.
        case abort
        /// Answer the unfinished request with an error, and close.
        case refuse
        /// Ask the kernel how much the peer has acknowledged, and report it with ``progressWasChecked(_:hasUnsentBytes:now:_:)``.
        case checkProgress
    }

    /// The deadline has come, or an earlier one that has been put off since.
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

// A response that the kernel has accepted has not reached the peer yet. A peer that reads a few bytes now and then would hold
// the connection and the kernel's memory for as long as it likes, while the connection looks idle to the server. So a connection
// that waits for its next request, for the socket or for the peer's end asks the kernel what the peer has acknowledged.
extension ConnectionDeadlines {
    private func nextCheck(_ times: ConnectionTimes, _ conditions: Conditions) -> UInt64 {
        if conditions.sendsEvents { return .max }
        return progress.checkedAt >= start ? progress.nextCheck : start + times.progressCheck
    }

    enum ProgressAction {
        /// The peer may go on until the next deadline.
        case wait
        case close
        case abort
    }

    /// The kernel reported what the peer has acknowledged; `nil` where it does not know.
    mutating func progressWasChecked(
        _ peer: PeerProgress?, hasUnsentBytes: Bool, now: UInt64, _ times: ConnectionTimes
    ) -> ProgressAction {
        guard let peer, peer.hasOutstandingBytes || hasUnsentBytes else {
            // The peer has everything. Or its socket is not one of TCP, and then it is on this machine.
            if case .linger = wait { return .close }
            progress = AcknowledgedProgress(checkedAt: now, acknowledged: peer?.acknowledged ?? 0, nextCheck: .max)
            return .wait
        }
        // A peer that reads much at a time may pause in between, but no longer than one whose socket accepts nothing.
        let earned = times.answer(acknowledged: peer.acknowledged &- progress.acknowledged)
        let latest = now + times.progressCheck + times.write
        let isFirst = progress.checkedAt < start
        let due = min((isFirst ? now + times.progressCheck : progress.nextCheck) + earned, latest)
        guard due > now else { return .abort }
        progress = AcknowledgedProgress(checkedAt: now, acknowledged: peer.acknowledged, nextCheck: due)
        return .wait
    }
}
