// The list of sessions.
extension HostOperations {
    /// The number of sessions that are read at once.
    private static let pageSize = 500
    /// The number of sessions after which a list ends, so that a query that few sessions match does not take long.
    private static let maxScanned = 10_000

    /// Returns the sessions that match a query, in the order of their stored ids, and the id after which to continue; nil at the end
    /// of the list. A result may have fewer sessions than the query permits although there are more.
    package func list(_ query: SessionQuery) throws -> (sessions: [OperatedSession], next: StoredSessionID?) {
        var cursor = try start(of: query)
        var (found, scanned): ([OperatedSession], Int) = ([], 0)
        let now = wallMilliseconds
        while true {
            let page = try page(after: cursor)
            let matching = page.sessions.filter { query.admits($0.summary, now: now) }
            for item in try described(matching) where query.situation == nil || query.situation == item.situation {
                found.append(item)
                // The last page may end here, which the next request finds out.
                if found.count == query.limit { return (found, item.id) }
            }
            scanned += page.sessions.count
            guard let next = page.next, !isBeyond(next, query.beginning) else { return (found, nil) }
            if scanned >= HostOperations.maxScanned { return (found, next) }
            cursor = next
        }
    }

    /// Returns the id after which the list begins.
    private func start(of query: SessionQuery) throws -> StoredSessionID? {
        if let name = query.logName {
            guard
                let id = onAllLoops({ $0.storedID(ofSessionWithLogName: name) }).lazy.compactMap({ $0.result ?? nil })
                    .first
            else { throw ArchiveError.noSession(name) }
            return max(query.after ?? .init(high: 0, low: 0), id.predecessor ?? .init(high: 0, low: 0))
        }
        let first = StoredSessionID(beginning: query.beginning)?.predecessor
        guard let first, let after = query.after else { return query.after ?? first }
        return max(first, after)
    }

    private func isBeyond(_ id: StoredSessionID, _ beginning: String) -> Bool {
        !beginning.isEmpty && id.text.prefix(beginning.count) > beginning
    }

    /// A session before its situation is known.
    private struct Candidate {
        let summary: SessionSummary
        var live: LiveSession?
    }

    /// Returns the sessions after an id that are stored or in memory, and the id after which to continue.
    private func page(after cursor: StoredSessionID?) throws -> (sessions: [Candidate], next: StoredSessionID?) {
        let limit = HostOperations.pageSize
        let lead = wallLead
        let stored = try (archive?.summaries(after: cursor, limit: limit) ?? []).map { $0.moved(by: lead) }
        let isStoredComplete = stored.count < limit
        var candidates = stored.map { Candidate(summary: $0) }
        var isComplete = isStoredComplete
        var bound = isStoredComplete ? nil : stored.last?.id
        // A machine without stored sessions may be on any loop.
        if host.catalogue.machines.contains(where: { $0.durability == .memory }) {
            for (_, sessions) in onAllLoops({ $0.unstoredSessions(after: cursor, limit: limit) }) {
                let sessions = sessions ?? []
                candidates += sessions.map { Candidate(summary: $0.summary, live: $0) }
                guard sessions.count >= limit, let last = sessions.last?.summary.id else { continue }
                isComplete = false
                bound = bound.map { min($0, last) } ?? last
            }
        }
        if let bound { candidates.removeAll { $0.summary.id > bound } }
        candidates.sort { $0.summary.id < $1.summary.id }
        return (candidates, isComplete ? nil : candidates.last?.summary.id)
    }

    /// Adds what is known of sessions in memory, and whether the others can be restored.
    private func described(_ candidates: [Candidate]) throws -> [OperatedSession] {
        let ids = candidates.filter { $0.live == nil && !$0.summary.hasEnded }.map(\.summary.id)
        var live: [StoredSessionID: LiveSession] = [:]
        var asleep: [StoredSessionID: Int] = [:]
        if !ids.isEmpty {
            for (_, found) in onAllLoops({ ($0.liveSessions(among: ids), $0.streamsAsleep(among: ids)) }) {
                live.merge(found?.0 ?? [:]) { $1 }
                asleep.merge(found?.1 ?? [:]) { $1 }
            }
        }
        return try candidates.map {
            let id = $0.summary.id
            return try described($0.summary, live: $0.live ?? live[id], streamsAsleep: asleep[id] ?? 0)
        }
    }

    /// Returns what operators learn of a session.
    ///
    /// - Parameters:
    ///   - summary: The summary of the session, with wall times.
    ///   - live: The session in memory; nil if its machine is not.
    ///   - streamsAsleep: The number of its streams if it sleeps.
    func described(_ summary: SessionSummary, live: LiveSession?, streamsAsleep: Int = 0) throws -> OperatedSession {
        let durability = host.catalogue[summary.machine]?.durability
        if let live {
            return OperatedSession(
                summary: live.summary, situation: .live, durability: durability, live: live, streams: live.streams,
                isReadable: true)
        }
        guard !summary.hasEnded else {
            return OperatedSession(
                summary: summary, situation: .ended, durability: durability, live: nil, streams: 0, isReadable: true)
        }
        // One that is damaged must not hide the others.
        let entry = try archive?.useJournal { try? $0.load(summary.id) }
        // The version of the summary is that of the snapshot, and turns may follow it.
        guard let entry, let stored = try? StoredSession(entry, opening: host.seal) else {
            return OperatedSession(
                summary: summary, situation: .dormant, durability: durability, live: nil, streams: streamsAsleep,
                isReadable: false)
        }
        var current = summary
        current.version = stored.version
        let lead = wallLead
        current.usedAt = max(summary.usedAt, stored.lastInput &+ lead)
        let isQuarantined = stored.traps.quarantineEnd(now: wallMilliseconds &- lead) != nil
        return OperatedSession(
            summary: current, situation: isQuarantined ? .quarantined : .dormant, durability: durability, live: nil,
            streams: streamsAsleep, isReadable: true)
    }
}
