package import StateCapture

// One session, its turns, and its past.
extension HostOperations {
    /// Returns what operators learn of one session.
    ///
    /// - Throws: `ArchiveError.noSession` if it is neither in memory nor stored.
    package func session(_ id: StoredSessionID) throws -> OperatedSession {
        if let live = onLoop(of: id, { $0.liveSessions(among: [id])[id] }) ?? nil {
            return try described(live.summary, live: live)
        }
        guard let summary = try archive?.useJournal({ try $0.summary(of: id) }) else {
            throw ArchiveError.noSession(id.text)
        }
        let asleep = onLoop(of: id) { $0.streamsAsleep(among: [id]) }
        return try described(summary.moved(by: wallLead), live: nil, streamsAsleep: asleep?[id] ?? 0)
    }

    /// The most streams of a session that are described.
    private static let maxStreams = 64

    /// Returns the open streams of a session, whether or not it sleeps.
    package func streams(of id: StoredSessionID) -> [OperatedStream] {
        onLoop(of: id) { shard in
            let streams = shard.operated(id)?.streams ?? shard.hibernation.slots[id]?.streams.all ?? []
            return streams.prefix(HostOperations.maxStreams).map { OperatedStream($0) }
        } ?? []
    }

    /// Returns the values of a session: its outputs, captured states and effects in progress.
    ///
    /// - Parameters:
    ///   - version: The version; nil for the newest.
    ///   - isRevealed: Whether the values are shown, and not only their names.
    /// - Throws: `ArchiveError.noVersion` if the version is not stored.
    package func moment(_ id: StoredSessionID, at version: UInt64?, isRevealed: Bool) throws -> StateValue {
        let moment = try content(of: id, at: version)
        let disclosure = disclosure(of: moment.machine, isRevealed: isRevealed)
        var json: StateValue = [
            "version": StateValue(moment.version),
            "outputs": .array(described(moment.outputs, moment.machine, disclosure)),
        ]
        let states = moment.states.sorted { $0.key < $1.key }
        json["states"] = .array(states.map { disclosure.described(state: $0.key, $0.value) })
        json["effects"] = .array(moment.effects.map { described($0, disclosure) })
        return json
    }

    /// The content of a session at a moment.
    private struct Content {
        var machine: String
        var version: UInt64
        var outputs: [String: ArraySlice<UInt8>]
        var states: [String: ArraySlice<UInt8>] = [:]
        var effects: [OpenEffect] = []
    }

    private func content(of id: StoredSessionID, at version: UInt64?) throws -> Content {
        guard var turns = try recorded(id) else { return try unstoredContent(of: id, at: version) }
        try turns.advance(to: version, named: id.text)
        let session = turns.session
        return Content(
            machine: session.machine, version: session.version, outputs: session.shown, states: session.states,
            effects: session.effects)
    }

    /// Returns the content of a session that is not stored: its present outputs.
    private func unstoredContent(of id: StoredSessionID, at version: UInt64?) throws -> Content {
        let found = onLoop(of: id) { shard in shard.operated(id).map { ($0.machineKind.definition.name, $0.version) } }
        guard let (machine, current) = found ?? nil,
            let outputs = onLoop(of: id, { $0.shownOutputs(of: id) }) ?? nil
        else { throw ArchiveError.noSession(id.text) }
        if let version, version != current {
            throw ArchiveError.noVersion(version, name: id.text, stored: current...current)
        }
        return Content(machine: machine, version: current, outputs: outputs.mapValues { $0[...] })
    }

    /// Returns the recorded turns of a session; nil if its sessions are not stored.
    ///
    /// - Throws: `ArchiveError.ended`, or the reason why it cannot be read.
    func recorded(_ id: StoredSessionID) throws -> RecordedTurns? {
        guard let archive, let entry = try archive.useJournal({ try $0.load(id) }) else { return nil }
        guard entry.snapshot?.summary.hasEnded != true else { throw ArchiveError.ended(id.text) }
        return try RecordedTurns(try host.seal.open(entry))
    }

    func disclosure(of machine: String, isRevealed: Bool) -> ValueDisclosure {
        ValueDisclosure(definition(machine), isRevealed: isRevealed)
    }

    /// Returns the outputs in the order of the registration.
    private func described(
        _ outputs: [String: ArraySlice<UInt8>], _ machine: String, _ disclosure: ValueDisclosure
    ) -> [StateValue] {
        let order = definition(machine)?.outputs.map(\.name) ?? []
        let known = order.filter { outputs[$0] != nil }
        let others = Set(outputs.keys).subtracting(known).sorted()
        return (known + others).map { disclosure.described($0, outputs[$0] ?? []) }
    }

    private func described(_ effect: OpenEffect, _ disclosure: ValueDisclosure) -> StateValue {
        let lead = wallLead
        var json: StateValue = [
            "id": StateValue(effect.id), "name": .string(effect.name),
            "since": StateValue(time: effect.startedAt &+ lead),
        ]
        switch effect.work {
        case .time(let due):
            json["kind"] = "timer"
            json["due"] = StateValue(time: due / 1_000_000 &+ lead)
        case .answer(let question, _):
            json["kind"] = "effect"
            json["asked"] = StateValue(effect.lease)
            if disclosure.isRevealed, !disclosure.concealsStates { json["question"] = StateValue.read(question) }
        }
        return json
    }
}

// The turns.
extension HostOperations {
    /// The most turns in one response.
    package static let maxTurns = 2000

    /// Returns the recorded turns of a session, oldest first.
    ///
    /// - Parameters:
    ///   - number: The number of the turn after which to begin; nil for the first.
    ///   - limit: The maximum number of turns.
    ///   - latest: Whether to return the newest turns instead of the oldest ones.
    ///   - isRevealed: Whether values are shown.
    package func turns(
        _ id: StoredSessionID, after number: UInt64?, limit: Int, latest: Bool = false, isRevealed: Bool
    ) throws -> StateValue {
        guard var recorded = try recorded(id) else {
            return try unstoredTurns(id, limit: limit, isRevealed: isRevealed)
        }
        let machine = recorded.summary.machine
        let disclosure = disclosure(of: machine, isRevealed: isRevealed)
        let recent = recentTurns(of: id)
        let remembered = Dictionary(recent.lazy.map { ($0.number, $0) }) { $1 }
        let skipped = latest ? max(0, recorded.count - limit) : 0
        let (count, first) = (recorded.count, recorded.firstVersion)
        var (turns, place, last): ([StateValue], Int, UInt64?) = ([], 0, nil)
        while turns.count < limit, let turn = try recorded.next() {
            place += 1
            guard place > skipped, turn.number > number ?? 0 else { continue }
            let recent = remembered[turn.number]
            turns.append(TurnDescription(turn, after: recorded.former, disclosure, recent: recent).json)
            last = turn.number
        }
        var json: StateValue = [
            "beginsAt": StateValue(first), "total": StateValue(count), "isStored": true, "turns": .array(turns),
            "next": last == recorded.lastNumber || last == nil ? .null : StateValue(last),
        ]
        if number == nil, !latest {
            let earlier = described(recorded.earlier, of: machine, recent, disclosure)
            json["earlier"] = .array(
                earlier.map { turn in
                    var turn = turn
                    turn["number"] = .null
                    return turn
                })
        }
        return json
    }

    /// Returns what the loop of a session remembers of its last turns, oldest first.
    private func recentTurns(of id: StoredSessionID) -> [RecentTurns.Turn] {
        onLoop(of: id) { shard in shard.recentTurns?.turns(of: shard.operated(id)?.recentKey ?? id.low) ?? [] } ?? []
    }

    /// Returns the turns of consecutive changes, of which nothing else is stored.
    private func described(
        _ changes: [StoredSession.Change], of machine: String, _ recent: [RecentTurns.Turn],
        _ disclosure: ValueDisclosure
    ) -> [StateValue] {
        let first = changes.first.map { $0.version - 1 } ?? 0
        var session = StoredSession(machine: machine, epoch: Epoch(bits: 0), created: 0, lastInput: 0, version: first)
        let remembered = Dictionary(recent.lazy.map { ($0.version, $0) }) { $1 }
        let inputs = definition(machine)?.inputs ?? []
        return changes.map { change in
            var record = TurnRecord(time: 0, version: change.version)
            record.change = change.data
            let turn = RecordedTurns.Turn(number: change.version, record: record, byteCount: change.data.count)
            let recent = remembered[change.version]
            var json = TurnDescription(turn, after: session, disclosure, recent: recent).json(ofInputs: inputs)
            if let trace = change.traceparent { json["traceparent"] = .string(String(decoding: trace, as: UTF8.self)) }
            session.apply(record)
            session.changes = []
            return json
        }
    }

    /// Returns the recent changes of a session that is not stored, of which nothing else is known.
    private func unstoredTurns(_ id: StoredSessionID, limit: Int, isRevealed: Bool) throws -> StateValue {
        let found = onLoop(of: id) { shard in
            shard.operated(id).map { ($0.machineKind.definition.name, shard.recentChanges(of: id)) }
        }
        guard let (machine, changes) = found ?? nil else { throw ArchiveError.noSession(id.text) }
        let disclosure = disclosure(of: machine, isRevealed: isRevealed)
        let first = changes.first.map { $0.version - 1 } ?? 0
        let turns = described(changes.suffix(limit), of: machine, recentTurns(of: id), disclosure)
        return [
            "beginsAt": StateValue(first), "total": StateValue(changes.count), "isStored": false,
            "turns": .array(turns),
            "next": .null,
        ]
    }

    /// Returns how two moments differ, by the names of outputs and states.
    ///
    /// - Parameters:
    ///   - left: A session and a version; nil for the newest.
    ///   - right: Another one, of the same session or of another.
    ///   - isRevealed: Whether values are shown.
    package func comparison(
        _ left: (id: StoredSessionID, version: UInt64?), _ right: (id: StoredSessionID, version: UInt64?),
        isRevealed: Bool
    ) throws -> StateValue {
        let (one, other) = (try content(of: left.id, at: left.version), try content(of: right.id, at: right.version))
        let disclosures = [one.machine, other.machine].map { disclosure(of: $0, isRevealed: isRevealed) }
        func side(_ content: Content) -> StateValue {
            ["machine": .string(content.machine), "version": StateValue(content.version)]
        }
        let isConcealed = disclosures.contains { $0.concealsStates }
        var json: StateValue = ["left": side(one), "right": side(other)]
        json["outputs"] = .array(
            differences(one.outputs, other.outputs) { name in
                (isRevealed, disclosures.contains { $0.conceals(name) })
            })
        json["states"] = .array(differences(one.states, other.states) { _ in (isRevealed, isConcealed) })
        return json
    }

    private func differences(
        _ left: [String: ArraySlice<UInt8>], _ right: [String: ArraySlice<UInt8>],
        shows: (String) -> (isRevealed: Bool, isConcealed: Bool)
    ) -> [StateValue] {
        Set(left.keys).union(right.keys).sorted().compactMap { name in
            let (one, other) = (left[name].map { StateValue.read($0) }, right[name].map { StateValue.read($0) })
            guard one != other else { return nil }
            var json: StateValue = ["name": .string(name)]
            let (isRevealed, isConcealed) = shows(name)
            if isConcealed { json["concealed"] = true }
            guard isRevealed, !isConcealed else { return json }
            if let one { json["left"] = one }
            if let other { json["right"] = other }
            return json
        }
    }
}
