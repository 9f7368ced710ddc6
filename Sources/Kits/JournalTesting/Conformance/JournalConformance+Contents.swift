import MachineHost

// Checks that stored content is loaded unchanged.
extension JournalConformance {
    static let contents: [Check] = [
        Check("A new journal is empty") { run in
            let id = StoredSessionID.numbered(1)
            run.expect(try run.journal.load(id), equals: nil, "an unknown session")
            run.expect(try run.journal.sessions(after: nil, limit: 10), equals: [], "the sessions")
            run.expect(try run.journal.sessions(dueAt: .max, limit: 10), equals: [], "the due sessions")
            run.expect(try run.journal.nextDueTime(), equals: nil, "the next due time")
            run.expect(try run.journal.lastNumber(), equals: 0, "the last number")
            run.expect(try run.journal.property("name"), equals: nil, "an unknown property")
            run.expect(try run.maintainedJournal?.trim(), equals: nil, "the session that blocks trimming")
            guard let statistics = try run.fileJournal?.statistics() else { return }
            run.expect(statistics.sessions, equals: 0, "the number of sessions")
            run.expect(statistics.rows, equals: 0, "the number of rows")
            run.expect(statistics.oldestUse, equals: nil, "the oldest use")
        },
        Check("A snapshot is loaded unchanged") { run in
            for (index, snapshot) in unusualSnapshots.enumerated() {
                try run.commit { $0.add(.store(snapshot)) }
                let entry = try run.journal.load(snapshot.summary.id)
                run.expect(entry, equals: JournalEntry(snapshot: snapshot, rows: []), "snapshot \(index)")
            }
            let expected = unusualSnapshots.map(\.summary).sorted { $0.id < $1.id }
            run.expect(try run.journal.sessions(after: nil, limit: 10), equals: expected, "the summaries")
        },
        Check("Rows follow their snapshot, oldest first") { run in
            let ids = (0..<5).map { StoredSessionID.numbered($0) }
            try run.commit { batch in for id in ids { batch.add(.store(.of(id))) } }
            for round in 0..<4 as Range<UInt8> {
                try run.commit(isFlushed: round % 2 == 0) { batch in
                    for (index, id) in ids.enumerated() {
                        run.append(id, [round, UInt8(index)], to: &batch)
                        run.append(id, [], to: &batch)
                    }
                }
            }
            for (index, id) in ids.enumerated() {
                let expected = (0..<4 as Range<UInt8>).flatMap { [[$0, UInt8(index)], []] }
                run.expect(try run.rows(of: id), equals: expected, "the rows of session \(index)")
            }
            run.expect(try run.journal.lastNumber(), equals: 40, "the last number")
        },
        Check("Rows have their numbers, which need not be contiguous or in the order of the commits") { run in
            let (one, two) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                batch.add(.store(.of(one)))
                batch.add(.store(.of(two)))
            }
            for (id, number, previous) in [(one, 100, 0), (two, 20, 0), (one, 1 << 40, 100), (two, 50, 20)]
                as [(StoredSessionID, UInt64, UInt64)]
            {
                try run.commit { batch in
                    batch.append(session: id, number: number, previous: previous, wakesAt: nil) {
                        $0.append(UInt8(previous))
                    }
                }
            }
            run.expect(try run.journal.load(one)?.rows.map(\.number), equals: [100, 1 << 40], "the numbers of one")
            run.expect(try run.journal.load(two)?.rows.map(\.number), equals: [20, 50], "the numbers of the other")
            run.expect(try run.rows(of: two), equals: [[0], [20]], "the contents of the other")
            run.expect(try run.journal.lastNumber(), equals: 1 << 40, "the last number")
        },
        Check("Contents of 10 MiB are loaded unchanged") { run in
            let id = StoredSessionID.numbered(1)
            let large = (0..<10 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 13) }
            try run.commit { $0.add(.store(.of(id, content: large))) }
            try run.commit { run.append(id, large.reversed(), to: &$0) }
            let entry = try run.journal.load(id)
            run.expect(entry?.snapshot?.content == large, "expected a snapshot of 10 MiB to be loaded unchanged")
            run.expect(
                entry?.rows.first?.content == large.reversed(), "expected a row of 10 MiB to be loaded unchanged")
            try run.commit { run.remove(id, from: &$0) }
            run.expect(try run.journal.load(id), equals: nil, "a removed session")
        },
        Check("Properties have the value that was set last") { run in
            try run.commit { batch in
                batch.add(.set(property: "format", value: [1]))
                batch.add(.set(property: "größe", value: []))
                batch.add(.set(property: "format", value: [0, 255]))
            }
            run.expect(try run.journal.property("format"), equals: [0, 255], "a property")
            run.expect(try run.journal.property("größe"), equals: [], "an empty property")
            run.expect(try run.journal.property("Format"), equals: nil, "a property with another name")
        },
        Check("Notes are found by their keys until they are removed") { run in
            let keys: [JournalNoteKey] = [.init(high: 0, low: 0), .init(high: .max, low: 1), .init(high: 1, low: .max)]
            let notes = keys.enumerated().map { JournalNote(key: $1, until: Int64($0), content: [UInt8($0), 0]) }
            run.expect(try run.journal.note(keys[0]), equals: nil, "an unknown note")
            try run.commit { batch in for note in notes { batch.add(.note(note)) } }
            let renewed = JournalNote(key: keys[0], until: 5, content: [])
            try run.commit { $0.add(.note(renewed)) }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.note(keys[0]), equals: renewed, "a note that was replaced")
            run.expect(try run.journal.note(keys[1]), equals: notes[1], "a note")
            try run.commit { $0.add(.removeNotes(until: 1)) }
            run.expect(try keys.map { try run.journal.note($0) }, equals: [renewed, nil, notes[2]], "the notes")
        },
    ]

    private static let unusualSnapshots: [SessionSnapshot] = [
        SessionSnapshot(
            summary: SessionSummary(
                id: StoredSessionID(high: 0, low: 0), machine: "", version: 0, createdAt: 0, usedAt: 0, expiresAt: nil,
                wakesAt: nil, hasEnded: false), covers: 0, content: []),
        SessionSnapshot(
            summary: SessionSummary(
                id: StoredSessionID(high: .max, low: .max), machine: "Zähler 🌾 \u{0} x", version: .max, createdAt: .min,
                usedAt: .max, expiresAt: .max, wakesAt: .min, hasEnded: true), covers: 1 << 50, content: [0, 255, 0]),
        SessionSnapshot(
            summary: SessionSummary(
                id: StoredSessionID(high: 1 << 63, low: 5), machine: "search", version: 7, createdAt: 1, usedAt: 2,
                expiresAt: 3, wakesAt: nil, hasEnded: false), covers: 9,
            content: [UInt8](repeating: 7, count: 5000)),
    ]
}
