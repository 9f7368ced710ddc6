import MachineHost

// Checks of the content that a new process finds.
extension JournalConformance {
    static let restarts: [Check] = [
        Check("Content survives closing", needs: .reopening) { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { batch in
                batch.add(.store(.of(id)))
                batch.add(.set(property: "format", value: [3]))
            }
            try run.commit(isFlushed: false) { run.append(id, [1], to: &$0) }
            try run.reopen()
            run.expect(try run.rows(of: id), equals: [[1]], "the rows")
            run.expect(try run.journal.property("format"), equals: [3], "a property")
            run.expect(try run.journal.lastNumber(), equals: 1, "the last number")
            try run.expectRows(1)
            try run.commit { run.append(id, [2], to: &$0) }
            run.expect(try run.rows(of: id), equals: [[1], [2]], "the rows of two processes")
            try run.reopen()
            run.expect(try run.rows(of: id), equals: [[1], [2]], "the rows of two earlier processes")
        },
        Check("Committed batches survive the end of the process", needs: .processLoss) { run in
            let id = StoredSessionID.numbered(1)
            try run.commit { $0.add(.store(.of(id))) }
            for round in 0..<5 as Range<UInt8> {
                for isFlushed in [true, false] {
                    try run.commit(isFlushed: isFlushed) { run.append(id, [round, isFlushed ? 1 : 0], to: &$0) }
                }
                try run.crash(.process)
                let expected = (0...round).flatMap { [[$0, 1], [$0, 0]] as [[UInt8]] }
                run.expect(try run.rows(of: id), equals: expected, "the rows after end \(round)")
            }
        },
        Check("Flushed batches survive the loss of power, and of the others the first ones", needs: .powerLoss) { run in
            let ids = (0..<3).map { StoredSessionID.numbered($0) }
            try run.commit { batch in for id in ids { batch.add(.store(.of(id))) } }
            for round in 0..<8 as Range<UInt8> {
                let known = try run.rows(of: ids[0]) ?? []
                try run.commit { batch in for id in ids { run.append(id, [round, 0], to: &batch) } }
                let unflushed = round % 4 * 2
                for value in 1..<1 + unflushed {
                    try run.commit(isFlushed: false) { batch in
                        for id in ids { run.append(id, [round, value], to: &batch) }
                    }
                }
                try run.crash(.power)
                let found = try run.rows(of: ids[0]) ?? []
                let full = known + (0...unflushed).map { [round, $0] }
                run.expect(
                    found, equals: Array(full.prefix(max(found.count, known.count + 1))), "the rows after loss \(round)"
                )
                for id in ids { run.expect(try run.rows(of: id), equals: found, "the rows of each session of a batch") }
                // A new process continues after the last row that is left.
                for id in ids { run.continueAfter(try run.journal.load(id)?.rows.last?.number, id) }
            }
        },
        Check("A batch is stored completely or not at all", needs: .powerLoss) { run in
            for round in 0..<16 as Range<UInt64> {
                let ids = (0..<40).map { StoredSessionID.numbered(round * 100 + $0) }
                try run.commit(isFlushed: false) { batch in
                    for id in ids {
                        batch.add(.store(.of(id, content: [UInt8](repeating: 1, count: 700))))
                        run.append(id, [UInt8](repeating: 2, count: 700), to: &batch)
                    }
                    batch.add(.set(property: "round \(round)", value: [1]))
                }
                try run.crash(.power)
                let isStored = try run.journal.property("round \(round)") != nil
                for id in ids {
                    let rows = try run.rows(of: id)
                    run.expect(
                        rows?.count, equals: isStored ? 1 : nil, "the rows of a batch that is stored: \(isStored)")
                }
            }
        },
        Check("Random changes and restarts lead to what a simple model says") { run in
            for _ in 0..<3 { try RandomJournalRun(run).perform(steps: 200) }
        },
    ]
}
