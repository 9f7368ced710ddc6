import MachineHost

// Checks of the changes in a batch.
extension JournalConformance {
    static let changes: [Check] = [
        Check("Rows that a snapshot contains are skipped") { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { batch in
                batch.add(.store(.of(id)))
                for value in 0..<10 as Range<UInt8> { run.append(id, [value], to: &batch) }
            }
            for (covers, expected) in [(4, 4..<10), (9, 9..<10), (10, 10..<10)] as [(UInt64, Range<UInt8>)] {
                try run.commit { $0.add(.store(.of(id, covers: covers, content: [UInt8(covers)]))) }
                let entry = try run.journal.load(id)
                run.expect(entry?.rows.map(\.content), equals: expected.map { [$0] }, "the rows after row \(covers)")
                run.expect(entry?.snapshot?.content, equals: [UInt8(covers)], "the snapshot up to row \(covers)")
                try run.expectRows(expected.count, "the number of rows after \(covers)")
            }
            try run.commit { run.append(id, [99], to: &$0) }
            run.expect(try run.rows(of: id), equals: [[99]], "the rows after the last snapshot")
        },
        Check("The changes of a batch are made in their order") { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { batch in
                batch.add(.store(.of(id)))
                run.append(id, [1], to: &batch)
                batch.add(.store(.of(id, covers: run.append(id, [2], to: &batch), content: [12])))
                run.append(id, [3], to: &batch)
            }
            run.expect(try run.rows(of: id), equals: [[3]], "the rows after a snapshot in the middle of a batch")
            try run.commit { batch in
                run.append(id, [4], to: &batch)
                run.remove(id, from: &batch)
                batch.add(.store(.of(id, covers: run.number, content: [5])))
                run.append(id, [6], to: &batch)
            }
            run.expect(try run.rows(of: id), equals: [[6]], "the rows of a session that was removed and stored again")
            run.expect(try run.journal.load(id)?.snapshot?.content, equals: [5], "its snapshot")
        },
        Check("A removed session leaves nothing behind") { run in
            let (gone, kept) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                // The kept session has the oldest rows, so that recovery reads all.
                for id in [kept, gone] {
                    batch.add(.store(.of(id, expiresAt: 5)))
                    for value in 0..<5 as Range<UInt8> { run.append(id, [value], to: &batch) }
                }
                batch.add(.store(.of(gone, covers: 7, expiresAt: 5)))
            }
            try run.commit { run.remove(gone, from: &$0) }
            run.expect(try run.journal.load(gone), equals: nil, "a removed session")
            run.expect(try run.rows(of: kept)?.count, equals: 5, "the number of the other session's rows")
            run.expect(try run.journal.sessions(after: nil, limit: 9).map(\.id), equals: [kept], "the sessions")
            run.expect(try run.journal.sessions(dueAt: 9, limit: 9).map(\.id), equals: [kept], "the due sessions")
            try run.expectRows(5)
            // Removing what is not stored is no error: the host need not know.
            try run.commit { run.remove(gone, from: &$0) }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.load(gone), equals: nil, "a session that was removed before")
            // The rows of its first life must not come back with the second, whatever the snapshot covers.
            try run.commit { $0.add(.store(.of(gone))) }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.rows(of: gone), equals: [], "the rows of a session that was stored again")
        },
        Check("An empty batch changes nothing") { run in
            try run.commit { _ in }
            try run.commit(isFlushed: false) { _ in }
            run.expect(try run.journal.sessions(after: nil, limit: 9), equals: [], "the sessions")
        },
        Check("Statistics count what is stored") { run in
            try run.commit { batch in
                for number in 1...3 as ClosedRange<UInt64> {
                    let id = StoredSessionID.numbered(number)
                    batch.add(.store(.of(id, usedAt: Int64(number) * 100, hasEnded: number == 1)))
                    run.append(id, [1], to: &batch)
                }
            }
            guard let journal = run.fileJournal else { return }
            let statistics = try journal.statistics()
            run.expect(statistics.sessions, equals: 2, "the number of sessions that have not ended")
            run.expect(statistics.rows, equals: 3, "the number of rows")
            run.expect(statistics.oldestUse, equals: 200, "the oldest use")
            run.expect(statistics.bytes > 0, "expected a size, got \(statistics.bytes) bytes")
            let free = try journal.freeBytes()
            run.expect(free > 0, "expected free space, got \(free) bytes")
        },
        Check("A closed journal refuses everything") { run in
            let id = StoredSessionID.numbered(1)
            let journal = run.journal
            try run.commit { $0.add(.store(.of(id))) }
            try journal.close()
            var calls: [(String, () throws -> Void)] = [
                ("commit", { try run.commit { $0.add(.remove(id)) } }), ("load", { _ = try journal.load(id) }),
                ("sessions(after:)", { _ = try journal.sessions(after: nil, limit: 1) }),
                ("sessions(dueAt:)", { _ = try journal.sessions(dueAt: 1, limit: 1) }),
                ("nextDueTime", { _ = try journal.nextDueTime() }), ("lastNumber", { _ = try journal.lastNumber() }),
                ("property", { _ = try journal.property("x") }),
            ]
            if let journal = run.maintainedJournal { calls.append(("trim", { _ = try journal.trim() })) }
            if let journal = run.fileJournal { calls.append(("statistics", { _ = try journal.statistics() })) }
            for (name, call) in calls {
                do {
                    try call()
                    run.fail("expected \(name) of a closed journal to throw")
                } catch let error as JournalError {
                    run.expect(error.kind, equals: .closed, "the error of \(name)")
                }
            }
        },
    ]
}
