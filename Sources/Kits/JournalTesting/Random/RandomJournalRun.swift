import MachineHost

/// Random changes of a journal and of a model, which are compared after each restart and now and then.
struct RandomJournalRun {
    private let run: JournalCheckRun
    private let ids: [StoredSessionID]
    /// The names of sessions.
    static let names = ["main", "Main"].map { SessionName(owner: SessionOwner(high: 1, low: .max), text: $0) }
    /// The keys of all notes.
    static let noteKeys = (0..<4).map { JournalNoteKey(high: $0, low: 1) }

    init(_ run: JournalCheckRun) {
        self.run = run
        ids = (0..<8).map { _ in StoredSessionID(high: run.random.next(), low: run.random.next()) }
    }

    func perform(steps: Int) throws {
        // The states to which the loss of power may lead: that of the last flush, and those of the commits since then.
        var states = [JournalModel()]
        // An earlier run may have left sessions behind.
        try run.commit { batch in
            for summary in try run.journal.sessions(after: nil, limit: .max) { batch.add(.remove(summary.id)) }
            batch.add(.removeNotes(until: .max))
        }
        for step in 0..<steps {
            try take(&states)
            guard step % 16 == 0 || step == steps - 1, let model = states.last else { continue }
            let time = Int64.random(in: 0..<100, using: &run.random)
            guard let difference = try model.difference(from: run.journal, ids: ids, time: time) else { continue }
            return run.fail("after step \(step): \(difference)")
        }
    }

    private func take(_ states: inout [JournalModel]) throws {
        let abilities = run.storage.abilities
        switch Int.random(in: 0..<100, using: &run.random) {
        case ..<80: try commit(&states)
        case ..<86: _ = try run.maintainedJournal?.trim()
        case ..<88: _ = try run.maintainedJournal?.tidy()
        case ..<92: try run.maintainedJournal?.maintain()
        case ..<94 where abilities.contains(.reopening):
            try run.reopen()
            restart(&states, from: states.count - 1)
        case ..<97 where abilities.contains(.processLoss):
            try run.crash(.process)
            // What was not flushed is still not flushed.
            for index in states.indices { states[index].restart() }
        case 97... where abilities.contains(.powerLoss):
            try run.crash(.power)
            try findState(&states)
        default: break
        }
    }

    /// Finds the state to which the loss of power has led.
    private func findState(_ states: inout [JournalModel]) throws {
        for index in states.indices.reversed() {
            var model = states[index]
            model.restart()
            guard try model.difference(from: run.journal, ids: ids, time: 1000) == nil else { continue }
            return restart(&states, from: index)
        }
        run.fail("expected one of the last \(states.count) states after the loss of power, got another one")
        restart(&states, from: states.count - 1)
    }

    private func restart(_ states: inout [JournalModel], from index: Int) {
        var model = states[index]
        model.restart()
        states = [model]
    }

    private func commit(_ states: inout [JournalModel]) throws {
        guard var model = states.last else { return }
        let isFlushed = Bool.random(using: &run.random)
        var batch = JournalBatch()
        for _ in 0..<Int.random(in: 0..<6, using: &run.random) { change(&model, &batch) }
        try run.journal.commit(batch, isFlushed: isFlushed)
        // A flush of a batch without changes may do nothing.
        if isFlushed, !batch.isEmpty, model != states.last { states = [model] } else { states.append(model) }
    }

    private func change(_ model: inout JournalModel, _ batch: inout JournalBatch) {
        guard let id = ids.randomElement(using: &run.random) else { return }
        switch Int.random(in: 0..<13, using: &run.random) {
        case ..<6 where model.sessions[id] != nil: append(id, &model, &batch)
        case ..<8:
            let snapshot = snapshot(of: id, model.sessions[id])
            model.takeName(of: snapshot.summary)
            let rows = (model.sessions[id]?.rows ?? []).filter { $0.number > snapshot.covers }
            model.sessions[id] = JournalModel.Session(snapshot: snapshot, rows: rows)
            batch.add(.store(snapshot))
        case 8:
            guard let session = model.sessions[id] else { return }
            var summary = snapshot(of: id, session).summary
            batch.add(.update(summary))
            guard summary.hasEnded || !session.snapshot.summary.hasEnded else { return }
            summary.name = session.snapshot.summary.name
            summary.owner = session.snapshot.summary.owner
            model.sessions[id]?.snapshot.summary = summary
        case 9:
            model.sessions[id] = nil
            batch.add(.remove(id))
        case 10...11: changeNotes(&model, &batch)
        default:
            let name = "p\(Int.random(in: 0..<3, using: &run.random))"
            let value = bytes(upTo: 20)
            model.properties[name] = value
            batch.add(.set(property: name, value: value))
        }
    }

    private func changeNotes(_ model: inout JournalModel, _ batch: inout JournalBatch) {
        let time = Int64.random(in: 0..<100, using: &run.random)
        guard let key = Self.noteKeys.randomElement(using: &run.random), time >= 20 else {
            model.notes = model.notes.filter { $0.value.until > time }
            return batch.add(.removeNotes(until: time))
        }
        let note = JournalNote(key: key, until: time, content: bytes(upTo: 300))
        model.notes[key] = note
        batch.add(.note(note))
    }

    private func append(_ id: StoredSessionID, _ model: inout JournalModel, _ batch: inout JournalBatch) {
        guard let session = model.sessions[id] else { return }
        run.number += UInt64.random(in: 1...3, using: &run.random)
        let previous = session.rows.last?.number ?? session.snapshot.covers
        let row = JournalEntry.Row(number: run.number, wakesAt: time(), content: bytes(upTo: 3000))
        model.sessions[id]?.rows.append(row)
        batch.append(session: id, number: row.number, previous: previous, wakesAt: row.wakesAt) {
            $0.append(contentsOf: row.content)
        }
    }

    /// Returns a snapshot of a random part of a session.
    private func snapshot(of id: StoredSessionID, _ session: JournalModel.Session?) -> SessionSnapshot {
        var covers = session?.snapshot.covers ?? 0
        if let row = session?.rows.randomElement(using: &run.random) { covers = row.number }
        let summary = SessionSummary(
            id: id, machine: "machine", version: run.random.next(), createdAt: 1, usedAt: time() ?? 0,
            expiresAt: time(),
            wakesAt: time(), hasEnded: Bool.random(using: &run.random),
            owner: Bool.random(using: &run.random) ? SessionOwner(high: 3, low: run.random.next() % 4) : nil,
            name: Int.random(in: 0..<3, using: &run.random) == 0 ? Self.names.randomElement(using: &run.random) : nil)
        return SessionSnapshot(summary: summary, covers: covers, content: bytes(upTo: 6000))
    }

    private func time() -> Int64? {
        Bool.random(using: &run.random) ? Int64.random(in: 0..<100, using: &run.random) : nil
    }

    private func bytes(upTo limit: Int) -> [UInt8] {
        let value = UInt8.random(in: 0...255, using: &run.random)
        return [UInt8](repeating: value, count: Int.random(in: 0...limit, using: &run.random))
    }
}
