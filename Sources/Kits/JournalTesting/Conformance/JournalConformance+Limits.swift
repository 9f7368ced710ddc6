import MachineHost

// Checks of trimming and tidying.
extension JournalConformance {
    static let limits: [Check] = [
        Check("Trimming removes no row that is needed") { run in
            let ids = (0..<10).map { StoredSessionID.numbered($0) }
            try run.commit { batch in for id in ids { batch.add(.store(.of(id))) } }
            for round in 0..<30 as Range<UInt8> {
                try run.commit(isFlushed: false) { batch in
                    for id in ids { for _ in 0..<20 { run.append(id, [round], to: &batch) } }
                    let renewed = ids[Int(round) % 5]
                    let last = run.append(renewed, [round], to: &batch)
                    batch.add(.store(.of(renewed, covers: last)))
                }
                _ = try run.maintainedJournal?.trim()
            }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            _ = try run.maintainedJournal?.trim()
            for (index, id) in ids.enumerated() {
                // The first five were renewed in turn, the others never.
                let expected = index < 5 ? (4 - index) * 20 : 600
                run.expect(try run.rows(of: id)?.count, equals: expected, "the number of rows of session \(index)")
            }
            run.expect(try run.journal.lastNumber(), equals: run.number, "the last number")
        },
        Check("Tidying removes no row that is needed, and ends") { run in
            let ids = (0..<10).map { StoredSessionID.numbered($0) }
            try run.commit { batch in for id in ids { batch.add(.store(.of(id))) } }
            for round in 0..<300 as Range<Int> {
                try run.commit(isFlushed: false) { batch in
                    for id in ids { run.append(id, [UInt8(truncatingIfNeeded: round)], to: &batch) }
                }
            }
            // Of every other session, all rows are in its last snapshot.
            try run.commit { batch in
                for id in ids.indices where id % 2 == 1 {
                    batch.add(.store(.of(ids[id], covers: run.number, hasEnded: true)))
                }
            }
            var steps = 0
            while try run.maintainedJournal?.tidy() == true, steps < 100 { steps += 1 }
            run.expect(steps < 100, "expected tidying to end, but it does not")
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            for (index, id) in ids.enumerated() {
                run.expect(
                    try run.rows(of: id)?.count, equals: index % 2 == 0 ? 300 : 0,
                    "the number of rows of session \(index)")
            }
            run.expect(try run.journal.lastNumber(), equals: run.number, "the last number")
            try run.expectRows(1500)
            try run.commit { run.append(ids[0], [2], to: &$0) }
            run.expect(try run.rows(of: ids[0])?.count, equals: 301, "the number of rows after another one")
        },
        Check("The last number is known when all rows were trimmed") { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { batch in
                batch.add(.store(.of(id)))
                for _ in 0..<5 { run.append(id, [1], to: &batch) }
                batch.add(.store(.of(id, covers: run.number)))
            }
            _ = try run.maintainedJournal?.trim()
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.lastNumber(), equals: 5, "the last number")
            run.expect(try run.rows(of: id), equals: [], "the rows")
            try run.commit { run.append(id, [2], to: &$0) }
            run.expect(try run.rows(of: id), equals: [[2]], "the rows after trimming")
        },
        Check("Trimming names the session whose snapshot keeps many rows") { run in
            let (old, busy) = (StoredSessionID.numbered(1), StoredSessionID.numbered(2))
            try run.commit { batch in
                batch.add(.store(.of(old)))
                batch.add(.store(.of(busy)))
                run.append(old, [1], to: &batch)
            }
            run.expect(try run.maintainedJournal?.trim(), equals: nil, "the session that keeps one row")
            var blocker: StoredSessionID?
            for _ in 0..<100 where blocker == nil {
                try run.commit(isFlushed: false) { batch in
                    for _ in 0..<1000 { run.append(busy, [UInt8](repeating: 0, count: 100), to: &batch) }
                    batch.add(.store(.of(busy, covers: run.number)))
                }
                blocker = try run.maintainedJournal?.trim()
            }
            if run.storage.abilities.contains(.blockedTrimming) {
                run.expect(blocker, equals: old, "the session that keeps 100,000 rows")
            } else {
                run.expect(blocker, equals: nil, "the session that keeps rows, of a driver that keeps none for others")
            }
            run.expect(try run.rows(of: old), equals: [[1]], "the rows of the old session")
            let covered = try run.journal.load(old)?.rows.last?.number ?? 0
            try run.commit { $0.add(.store(.of(old, covers: covered))) }
            run.expect(
                try run.maintainedJournal?.trim(), equals: nil,
                "the session that keeps rows after the snapshot was renewed")
            try run.expectRows(0)
            run.expect(try run.rows(of: busy), equals: [], "the rows of the busy session")
        },
    ]
}
