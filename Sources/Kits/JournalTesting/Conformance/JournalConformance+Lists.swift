import MachineHost

// Checks of the lists of sessions.
extension JournalConformance {
    static let lists: [Check] = [
        Check("Sessions are listed in the order of their ids, in pages") { run in
            let edges: [UInt64] = [0, 1, 255, 256, 1 << 31, 1 << 63, .max]
            let ids = edges.flatMap { high in edges.map { StoredSessionID(high: high, low: $0) } }.shuffled(
                using: &run.random)
            try run.commit { batch in for id in ids { batch.add(.store(.of(id))) } }
            let expected = ids.sorted()
            run.expect(try run.journal.sessions(after: nil, limit: .max).map(\.id), equals: expected, "all sessions")
            var found: [StoredSessionID] = []
            while let page = Optional(try run.journal.sessions(after: found.last, limit: 10)), !page.isEmpty {
                run.expect(page.count <= 10, "expected at most 10 sessions, got \(page.count)")
                found += page.map(\.id)
                guard found.count <= expected.count else { break }
            }
            run.expect(found, equals: expected, "the sessions in pages of 10")
            let unknown = StoredSessionID(high: 255, low: 2)
            run.expect(
                try run.journal.sessions(after: unknown, limit: 1).map(\.id),
                equals: [StoredSessionID(high: 255, low: 255)],
                "the session after an id that is not stored")
            run.expect(try run.journal.sessions(after: nil, limit: 0), equals: [], "no sessions")
        },
        Check("10,000 sessions are stored and found") { run in
            let count: UInt64 = 10_000
            for start in stride(from: 0, to: count, by: 1000) {
                try run.commit(isFlushed: false) { batch in
                    for number in start..<start + 1000 {
                        batch.add(.store(.of(.numbered(number), content: text(number), expiresAt: Int64(number))))
                        run.append(.numbered(number), text(number + 1), to: &batch)
                    }
                }
            }
            if run.storage.abilities.contains(.reopening) { try run.reopen() }
            run.expect(try run.journal.sessions(after: nil, limit: .max).count, equals: Int(count), "the sessions")
            try run.expectRows(Int(count))
            for number in stride(from: 0, to: count, by: 97) {
                let entry = try run.journal.load(.numbered(number))
                run.expect(entry?.snapshot?.content, equals: text(number), "the snapshot of session \(number)")
                run.expect(entry?.rows.map(\.content), equals: [text(number + 1)], "the rows of session \(number)")
            }
            let due = try run.journal.sessions(dueAt: 5000, limit: 20)
            run.expect(due.map(\.id), equals: (0..<20).map { .numbered($0) }, "the sessions that are due first")
        },
    ]

    private static func text(_ number: UInt64) -> [UInt8] { Array("content \(number)".utf8) }
}
