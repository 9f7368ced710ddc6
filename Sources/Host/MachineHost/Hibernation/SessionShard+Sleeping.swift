import HTTPModel
import JSONText
import Locking
import StateCapture

// Sessions that go to sleep.
extension SessionShard {
    /// The time by which a session is woken before its timer, in milliseconds. Due sessions are looked up once a second.
    private static let wakeLead: Int64 = 2000
    /// The most seconds until the shard looks again at a session that could not sleep.
    private static let maxPause: Tick = 10
    /// The number of sessions that go to sleep early in one round.
    private static let earlySleepersPerRound = 64
    /// A session that would sleep for fewer seconds stays awake, however short memory is, unless the regular time is shorter.
    private static let shortestSleep: Tick = 30

    /// Returns the reason that keeps a session awake; nil if it may sleep.
    func reasonToStayAwake(_ session: Session) -> AwakeReason? {
        reasonToStayAwake(session, after: times.hibernateAfter.map { host.shortened($0) })
    }

    /// Returns the reason that keeps a session awake that an operator puts to sleep, recently used or not, and whether or not sessions
    /// sleep by themselves; nil if it may sleep.
    func reasonToRefuseSleep(_ session: Session) -> AwakeReason? {
        let reason = reasonToStayAwake(session, after: times.hibernateAfter.map { host.shortened($0) } ?? 0)
        return reason == .use ? nil : reason
    }

    /// Returns the reason that keeps a session awake; nil if it may sleep.
    ///
    /// - Parameter hibernateAfter: The time for which a session stays in memory without use, in ticks; nil if sessions do not sleep.
    private func reasonToStayAwake(_ session: Session, after hibernateAfter: Tick?) -> AwakeReason? {
        guard let hibernateAfter else { return .configuration }
        let effects = session.context.declaredEffects
        if let effect = effects?.inProgress.first(where: { $0.due == nil }) {
            return .effect(name: effect.name, since: effect.startedAt)
        }
        if let name = session.context.declaredTopics?.topicInUse { return .topic(name: name) }
        let scheduler = session.context.scheduler
        let registry = session.storage?.registry
        if let name = registry?.uncapturedWork { return .work(name: name) }
        if scheduler.hasUncapturedBlocks { return .work(name: nil) }
        if registry?.hasTransientOperators == true, scheduler.timerCount > effects?.count ?? 0 {
            return .work(name: nil)
        }
        // A session that sleeps for a moment only costs more than one that stays.
        let shortest = max(hibernateAfter, min(times.hibernateAfter ?? 0, SessionShard.shortestSleep))
        let soon = max(Int64(shortest) * 1000, SessionShard.wakeLead + 1000)
        if let due = session.wakesAt, due < clock.storedMilliseconds + soon { return .timer(due: due) }
        if let journal, session.lastSequence > journal.released { return .storage }
        guard session.streamCount == session.streams.count, session.streams.allSatisfy(\.isUpToDate) else {
            return .stream
        }
        return tick > session.lastActivity + hibernateAfter ? nil : .use
    }

    /// Puts sessions to sleep that are due: what there is time for, and the rest in later rounds. Sessions that clients have left at the
    /// same time are due together.
    func letSleep(_ ids: ArraySlice<SessionID>) {
        loop.assertCurrent()
        var rest = ids
        while let id = rest.popFirst() {
            // It may have ended, or been used, in an earlier round.
            guard let session = sessions[id] else { continue }
            if isSuspended || !sleepIfDue(session, tick, after: times.hibernateAfter) { scheduleCheck(of: session) }
            if loop.isRoundOver { break }
        }
        storeSleepers()
        guard !rest.isEmpty else { return }
        let shard = UnsafeTransfer(backReference)
        loop.execute { [rest] in shard.value.shard?.letSleep(rest) }
    }

    /// Puts a session to sleep if it was not used for long enough and nothing keeps it awake. Returns whether it sleeps.
    func sleepIfDue(_ session: Session, _ now: Tick, after hibernateAfter: Tick?) -> Bool {
        guard session.sleepsAt(after: hibernateAfter) <= now, let journal = host.journal else { return false }
        // A disk that is nearly full has no room for the snapshot, a closed journal belongs to another process, and a session that sleeps
        // could not be read while the journal is unavailable.
        guard journal.phase == .open, journal.refusal == nil,
            reasonToStayAwake(session, after: hibernateAfter) == nil
        else {
            session.nextSleepCheck = now + min(times.hibernateAfter ?? 1, SessionShard.maxPause)
            return false
        }
        putToSleep(session)
        return true
    }

    /// Puts the sessions to sleep that were unused for the longest time, if the memory for sessions is nearly used up. The others have
    /// deadlines.
    func sleepEarly(_ now: Tick) {
        guard let regular = times.hibernateAfter, host.isShortOfMemory else { return }
        let after = host.shortened(regular)
        let due = sessions.values.filter { $0.sleepsAt(after: after) <= now }
        let idle = due.sorted { $0.lastActivity < $1.lastActivity }
        // Their ids, because a session that sleeps leaves the table.
        putToSleepEarly(idle.map(\.id)[...], after: after)
    }

    /// Puts sessions to sleep, some in each round, until memory is not short any more.
    ///
    /// - Parameter after: The time for which they were not used, in ticks. It stays the same while memory becomes free: a server at
    ///   its limit would otherwise make room for a few sessions only.
    private func putToSleepEarly(_ ids: ArraySlice<SessionID>, after: Tick) {
        // While inputs wait for the disk, snapshots would delay them further.
        guard journal?.pause.isActive != true else { return }
        let now = tick
        for id in ids.prefix(SessionShard.earlySleepersPerRound) where host.isShortOfMemory {
            if let session = sessions[id] { _ = sleepIfDue(session, now, after: after) }
        }
        storeSleepers()
        let rest = ids.dropFirst(SessionShard.earlySleepersPerRound)
        guard !rest.isEmpty, host.isShortOfMemory else { return }
        let shard = UnsafeTransfer(backReference)
        loop.execute { shard.value.shard?.putToSleepEarly(rest, after: after) }
    }

    /// Releases the machine of a session, which ``storeSleepers()`` then stores.
    func putToSleep(_ session: Session) {
        loop.assertCurrent()
        guard let storage = session.storage else { return }
        assert(hibernation.slots[storage.id] == nil, "expected no slot of a session in memory")
        assert(!session.isInTurn, "expected a session between turns")
        assert(
            session.streamCount == session.streams.count,
            "expected all of \(session.streamCount) streams to be read, got \(session.streams.count)")
        var summary = SessionSummary(of: session)
        summary.wakesAt = summary.wakesAt.map { $0 - SessionShard.wakeLead }
        let streams = session.streams
        session.streams = []
        session.streamCount = 0
        if !streams.isEmpty {
            let slot = DormantSession(of: session, summary, in: self)
            slot.lastActivity = session.lastActivity
            slot.take(streams)
            hibernation.slots[storage.id] = slot
            scheduleCheck(of: slot)
        }
        let isStored = storage.isStoredAsleep
        forget(session)
        guard isStored else { return hibernation.leaving.append(summary) }
        journal?.update(summary)
    }

    /// Stores the sessions that have gone to sleep.
    func storeSleepers() {
        guard !hibernation.leaving.isEmpty else { return }
        host.journal?.storeAsleep(hibernation.leaving, build: host.configuration.build)
        hibernation.leaving = []
    }
}

// What clients learn of it.
extension SessionShard {
    /// Appends whether a session sleeps, and if not, why. Appends nothing if it never sleeps.
    func appendWakefulness(of session: Session, to json: inout [UInt8]) {
        if session.isAsleep { return json.append(",\"dormant\":true") }
        guard session.mayHibernate, session.endReason == nil else { return }
        json.append(",\"dormant\":false,\"awake\":{\"because\":")
        append(reasonToStayAwake(session) ?? .use, to: &json)
        json.append("}")
    }

    private func append(_ reason: AwakeReason, to json: inout [UInt8]) {
        switch reason {
        case .configuration: json.append("\"configuration\"")
        case .effect(let name, let since):
            json.append("\"effect\",\"name\":")
            JSONWriter.append(name, to: &json)
            append(since, as: "since", to: &json)
        case .work(let name):
            json.append("\"work\"")
            guard let name else { return }
            json.append(",\"name\":")
            JSONWriter.append(name, to: &json)
        case .topic(let name):
            json.append("\"topic\",\"name\":")
            JSONWriter.append(name, to: &json)
        case .timer(let due):
            json.append("\"timer\"")
            append(due, as: "due", to: &json)
        case .storage: json.append("\"storage\"")
        case .stream: json.append("\"stream\"")
        case .use: json.append("\"use\"")
        }
    }

    private func append(_ milliseconds: Int64, as name: StaticString, to json: inout [UInt8]) {
        json.append(",\"")
        json.append(name)
        json.append("\":\"")
        WallTime(seconds: (milliseconds &+ clock.shownLead).quotientAndRemainder(flooringBy: 1000).0).append(to: &json)
        json.append("\"")
    }
}
