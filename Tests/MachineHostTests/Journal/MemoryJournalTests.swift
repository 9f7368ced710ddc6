import Testing

@testable import MachineHost

struct MemoryJournalTests {
    @Test
    func `it promises nothing and has no files`() throws {
        let journal = MemoryJournal()
        #expect(journal.guarantee == .memory)
        #expect(try journal.statistics().freeBytes == nil)
        #expect(throws: JournalError.self) { try journal.backUp(to: "/tmp/x") }
    }

    @Test
    func `the size follows what is stored`() throws {
        let journal = MemoryJournal()
        let id = StoredSessionID(high: 1, low: 2)
        let summary = SessionSummary(
            id: id, machine: "counter", version: 1, createdAt: 1, usedAt: 1, expiresAt: nil, wakesAt: nil,
            hasEnded: false)
        func commit(_ fill: (inout JournalBatch) -> Void) throws -> Int64 {
            var batch = JournalBatch()
            fill(&batch)
            try journal.commit(batch, isFlushed: true)
            return try journal.statistics().bytes
        }
        let content = [UInt8](repeating: 0, count: 100)
        #expect(try commit { $0.add(.store(SessionSnapshot(summary: summary, covers: 0, content: content))) } == 100)
        for number in 1...2 as ClosedRange<UInt64> {
            let size = try commit { batch in
                batch.append(session: id, number: number, previous: number - 1, wakesAt: nil) { $0 += [1, 2, 3] }
            }
            #expect(size == 100 + 3 * Int64(number))
        }
        #expect(try commit { $0.add(.store(SessionSnapshot(summary: summary, covers: 1, content: [1]))) } == 4)
        #expect(try commit { $0.add(.remove(id)) } == 0)
    }
}
