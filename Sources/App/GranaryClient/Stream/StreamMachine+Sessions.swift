// Changes the set of sessions, and tries again, at the request of the program.
extension StreamMachine {
    /// Follows another session. The stream is opened again, with the positions of the others.
    mutating func add(_ session: String) -> [Action] {
        guard !entries.contains(where: { $0.id == session }) else { return [] }
        entries.append(Entry(id: session))
        return change()
    }

    /// No longer follows a session.
    mutating func remove(_ session: String) -> [Action] {
        guard let place = entries.firstIndex(where: { $0.id == session }) else { return [] }
        entries.remove(at: place)
        guard requested.isEmpty else { return change() }
        // Of a stream that has given up, nothing is left to follow either.
        state = .idle
        return [.close]
    }

    /// No longer requests a session until ``reconnect(at:)``, because its outputs do not fit the types.
    mutating func suspend(_ session: String, _ reason: SessionEnd) -> [Action] {
        guard let place = entries.firstIndex(where: { $0.id == session }) else { return [] }
        entries[place].suspension = reason
        entries[place].isLive = false
        // What it has missed until then is not known, so that it must start with a snapshot.
        entries[place].position = nil
        return change()
    }

    private mutating func change() -> [Action] {
        switch state {
        case .idle:
            state = .waiting(isOffline: false)
            return [.wait(Self.gathering)]
        case .open, .opening:
            needsReopening = true
            return [.wait(Self.gathering)]
        // The next attempt includes the session.
        case .waiting, .awaitingCredential, .stopped: return []
        }
    }

    /// Tries again now, with all attempts ahead: the program knows that the network or the credential has changed.
    mutating func reconnect(at now: Duration) -> [Action] {
        let wasSuspended = entries.contains { $0.suspension != nil }
        for place in entries.indices {
            entries[place].suspension = nil
            entries[place].refusals = 0
            entries[place].rejections = 0
        }
        failures = 0
        rejections = 0
        switch state {
        case .waiting, .stopped: return open(at: now)
        // A stream that has all sessions continues.
        case .idle, .open, .opening: return wasSuspended || needsReopening ? open(at: now) : []
        case .awaitingCredential: return []
        }
    }
}
