import HTTPModel

extension StreamMachine {
    /// Takes an event of the open stream.
    mutating func take(_ event: ServerSentEvent, at now: Duration, jitter: Double) -> [Action] {
        guard let event = CombinedEvent(event) else { return lost(at: now, jitter: jitter) }
        switch event {
        case .snapshot(let session, let position, let data):
            guard advance(session, to: position, at: now) else { return [] }
            return [.deliver(SessionEvent(session: session, kind: .snapshot, position: position, data: data))]
        case .change(let session, let position, let data):
            guard advance(session, to: position, at: now) else { return [] }
            return [.deliver(SessionEvent(session: session, kind: .change, position: position, data: data))]
        case .resume(let session, let position):
            _ = advance(session, to: position, at: now)
            return []
        case .end(let session, let reason, let incident):
            return ended(session, reason, incident, jitter)
        case .streamEnd("unauthorized"): return rejected()
        case .streamEnd("rotated"), .streamEnd("draining"): return renewStream(at: now, jitter: jitter)
        case .streamEnd: return lost(at: now, jitter: jitter, atLeast: retry)
        case .unknown: return []
        }
    }

    /// Records the position of a session. Returns false if the session is not followed.
    private mutating func advance(_ session: String, to position: String, at now: Duration) -> Bool {
        guard let place = entries.firstIndex(where: { $0.id == session && $0.suspension == nil }) else { return false }
        entries[place].position = position
        entries[place].isLive = true
        entries[place].refusals = 0
        entries[place].rejections = 0
        firstEvent = firstEvent ?? now
        rejections = 0
        return true
    }

    private mutating func ended(
        _ session: String, _ reason: String, _ incident: String?, _ jitter: Double
    ) -> [Action] {
        guard let place = entries.firstIndex(where: { $0.id == session && $0.suspension == nil }) else { return [] }
        switch reason {
        case "deleted": return end(session, .deleted)
        case "expired": return end(session, .expired)
        case "failed": return end(session, .failed(incident: incident))
        case "unknown": return end(session, .unknown)
        case "unauthorized":
            entries[place].isLive = false
            entries[place].rejections += 1
            guard canRenewCredential, entries[place].rejections < Self.maxRejections else {
                return suspend(place, .unauthorized)
            }
            return awaitCredential()
        // Only this session's part of the stream has ended.
        case "busy", "draining", "rotated":
            entries[place].isLive = false
            entries[place].refusals += 1
            let refusals = entries[place].refusals
            guard refusals < policy.maxAttempts else { return suspend(place, .unreachable) }
            needsReopening = true
            return [.wait(policy.delay(afterFailure: refusals, jitter: jitter, atLeast: retry))]
        default: return end(session, .other(reason))
        }
    }

    /// Ends a session for this client.
    mutating func end(_ session: String, _ reason: SessionEnd) -> [Action] {
        entries.removeAll { $0.id == session }
        let event = Action.deliver(SessionEvent(session: session, kind: .end(reason), position: "", data: []))
        return requested.isEmpty ? [event] + becomeIdle() : [event]
    }

    private mutating func suspend(_ place: Int, _ reason: SessionEnd) -> [Action] {
        entries[place].suspension = reason
        return requested.isEmpty ? becomeIdle() : []
    }

    private mutating func becomeIdle() -> [Action] {
        state = .idle
        return [.close]
    }

    /// The server rejected the credential for the whole stream.
    mutating func rejected() -> [Action] {
        rejections += 1
        return canRenewCredential && rejections < Self.maxRejections ? awaitCredential() : stop(.unauthorized)
    }

    private mutating func awaitCredential() -> [Action] {
        loseSessions()
        state = .awaitingCredential
        return [.close, .renewCredential]
    }

    /// Opens the stream again because the server has asked for it. This is no failure, unless it happens all the time.
    private mutating func renewStream(at now: Duration, jitter: Double) -> [Action] {
        let pause = retry
        if hasSettled(at: now) {
            failures = 0
            loseSessions()
            state = .waiting(isOffline: false)
            return [.close, .wait(min(pause, policy.longestServerDelay))]
        }
        let actions = lost(at: now, jitter: jitter, atLeast: pause)
        if case .waiting = state { state = .waiting(isOffline: failures > 1) }
        return actions
    }

    /// The stream was lost, or could not be opened.
    mutating func lost(at now: Duration, jitter: Double, atLeast minimum: Duration = .zero) -> [Action] {
        failures = hasSettled(at: now) ? 1 : failures + 1
        loseSessions()
        guard failures < policy.maxAttempts else { return stop(.unreachable) }
        state = .waiting(isOffline: true)
        return [.close, .wait(policy.delay(afterFailure: failures, jitter: jitter, atLeast: minimum))]
    }

    /// Gives up until the program asks for another attempt.
    mutating func stop(_ reason: SessionEnd) -> [Action] {
        loseSessions()
        state = .stopped(reason)
        return [.close]
    }

    private mutating func loseSessions() {
        for place in entries.indices { entries[place].isLive = false }
    }

    private func hasSettled(at now: Duration) -> Bool { firstEvent.map { now - $0 >= policy.settled } ?? false }
}
