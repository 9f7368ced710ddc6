import MachineHost

// Checks of the times at which sessions are due.
extension JournalConformance {
    static let times: [Check] = [
        Check("Sessions are due when they must be woken or expire, by time") { run in
            let times: [(wakesAt: Int64?, expiresAt: Int64?)] = [
                (nil, nil), (50, nil), (nil, 40), (30, 60), (70, 20), (-5, nil), (nil, .max),
            ]
            let ids = times.indices.map { StoredSessionID.numbered(UInt64($0)) }
            try run.commit { batch in
                for (id, time) in zip(ids, times) {
                    batch.add(.store(.of(id, expiresAt: time.expiresAt, wakesAt: time.wakesAt)))
                }
            }
            func due(_ time: Int64, _ limit: Int = 100) throws -> [Int?] {
                try run.journal.sessions(dueAt: time, limit: limit).map { ids.firstIndex(of: $0.id) }
            }
            run.expect(try due(-6), equals: [], "the sessions due at -6")
            run.expect(try due(-5), equals: [5], "the sessions due at -5")
            run.expect(try due(40), equals: [5, 4, 3, 2], "the sessions due at 40")
            run.expect(try due(40, 2), equals: [5, 4], "the first two sessions due at 40")
            run.expect(try due(40, 0), equals: [], "no sessions")
            run.expect(try due(.max), equals: [5, 4, 3, 2, 1, 6], "all due sessions")
            run.expect(try due(.max), equals: [5, 4, 3, 2, 1, 6], "all due sessions, again")
            run.expect(try run.journal.nextDueTime(), equals: -5, "the next due time")
        },
        Check("A newer snapshot and a removal change when sessions are due") { run in
            let (one, two) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                batch.add(.store(.of(one, wakesAt: 10)))
                batch.add(.store(.of(two, wakesAt: 20)))
            }
            try run.commit { $0.add(.store(.of(one, wakesAt: 30))) }
            run.expect(try run.journal.nextDueTime(), equals: 20, "the next due time after one was postponed")
            try run.commit { $0.add(.store(.of(one, wakesAt: 10))) }
            run.expect(
                try run.journal.sessions(dueAt: 90, limit: 9).map(\.id), equals: [one, two],
                "the due sessions after one has its first time again")
            try run.commit { run.remove(one, from: &$0) }
            run.expect(try run.journal.nextDueTime(), equals: 20, "the next due time after one was removed")
            try run.commit { $0.add(.store(.of(two))) }
            run.expect(try run.journal.nextDueTime(), equals: nil, "the next due time when no session has one")
        },
        Check("An update changes when a session is due, and nothing else") { run in
            let (one, two) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                batch.add(.store(.of(one, wakesAt: 10)))
                run.append(one, [1], to: &batch)
            }
            let before = try run.journal.load(one)
            var summary = SessionSnapshot.of(one, expiresAt: 70).summary
            summary.usedAt = 60
            try run.commit { batch in
                batch.add(.update(summary))
                batch.add(.update(SessionSnapshot.of(two, wakesAt: 5).summary))
            }
            let after = try run.journal.load(one)
            run.expect(after?.snapshot?.summary, equals: summary, "the summary")
            run.expect(after?.snapshot?.content, equals: before?.snapshot?.content, "the content")
            run.expect(after?.snapshot?.covers, equals: before?.snapshot?.covers, "the last row of the snapshot")
            run.expect(after?.rows.map(\.number), equals: before?.rows.map(\.number), "the rows")
            run.expect(try run.journal.nextDueTime(), equals: 70, "the next due time")
            run.expect(try run.journal.load(two), equals: nil, "a session that was never stored")
        },
        Check("An update does not continue a session that has ended") { run in
            let id = StoredSessionID.numbered(1)
            var ended = SessionSnapshot.of(id, expiresAt: 70).summary
            ended.hasEnded = true
            try run.commit { $0.add(.store(SessionSnapshot(summary: ended, covers: 0, content: []))) }
            try run.commit { $0.add(.update(SessionSnapshot.of(id, expiresAt: 90).summary)) }
            run.expect(try run.journal.load(id)?.snapshot?.summary, equals: ended, "the summary of the end")
            ended.expiresAt = 80
            try run.commit { $0.add(.update(ended)) }
            run.expect(try run.journal.load(id)?.snapshot?.summary, equals: ended, "the summary of the end, used later")
        },
        Check("Rows of this process do not change when a session is due") { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { batch in
                batch.add(.store(.of(id, wakesAt: 50)))
                run.append(id, [1], wakesAt: 10, to: &batch)
            }
            run.expect(try run.journal.nextDueTime(), equals: 50, "the next due time")
        },
        Check("Rows of an earlier process determine when a session is due", needs: .reopening) { run in
            let ids = (0..<4).map { StoredSessionID.numbered($0) }
            try run.commit { batch in
                for id in ids { batch.add(.store(.of(id, expiresAt: 90, wakesAt: 50))) }
                run.append(ids[0], [1], wakesAt: 10, to: &batch)
                run.append(ids[1], [1], wakesAt: 10, to: &batch)
                run.append(ids[1], [2], wakesAt: nil, to: &batch)
                let last = run.append(ids[2], [1], wakesAt: 10, to: &batch)
                batch.add(.store(.of(ids[2], covers: last, expiresAt: 90, wakesAt: 60)))
                run.append(ids[3], [1], wakesAt: 10, to: &batch)
                run.append(ids[3], [2], wakesAt: 50, to: &batch)
            }
            try run.reopen()
            let due = try run.journal.sessions(dueAt: 90, limit: 9)
            run.expect(due.map(\.id), equals: [ids[0], ids[3], ids[2], ids[1]], "the due sessions after a restart")
            run.expect(due.map(\.wakesAt), equals: [10, 50, 60, nil], "the times at which they must be woken")
            run.expect(try run.journal.nextDueTime(), equals: 10, "the next due time after a restart")
            run.expect(
                try run.journal.load(ids[1])?.snapshot?.summary.wakesAt, equals: nil, "the time of a loaded session")
        },
    ]
}
