import MachineHost
import Testing

@testable import PostgreSQLJournal

struct BatchPlanTests {
    private let ids = (1...4).map { StoredSessionID.sample($0) }

    private func statements(_ fill: (inout JournalBatch) -> Void) throws -> [String] {
        var batch = JournalBatch()
        fill(&batch)
        return try BatchPlan(batch).requests(of: 1).map(\.statement.name)
    }

    @Test
    func `the rows of all sessions share a statement`() throws {
        let found = try statements { batch in
            for id in ids { batch.append(id, rows: 1...3) }
        }
        #expect(found == ["append rows"])
    }

    @Test
    func `sessions that are stored with rows need two statements`() throws {
        let found = try statements { batch in
            for id in ids {
                batch.add(.store(.sample(id)))
                batch.append(id, rows: 1...1)
            }
        }
        #expect(found == ["store sessions", "append rows"])
    }

    @Test
    func `the changes of a session keep their order`() throws {
        let found = try statements { batch in
            batch.append(ids[0], rows: 1...1)
            batch.add(.store(.sample(ids[0], covers: 1)))
            batch.append(ids[0], rows: 2...2)
            batch.add(.remove(ids[0]))
            batch.add(.store(.sample(ids[0])))
            batch.add(.update(SessionSnapshot.sample(ids[0]).summary))
        }
        #expect(
            found == [
                "append rows", "store sessions", "remove covered rows", "append rows", "remove rows", "remove sessions",
                "store sessions", "update sessions",
            ])
    }

    @Test
    func `two snapshots of a session are not in one statement`() throws {
        let found = try statements { batch in
            for id in [ids[0], ids[1], ids[0]] { batch.add(.store(.sample(id))) }
        }
        #expect(found == ["store sessions", "store sessions"])
    }

    @Test
    func `sessions with different names share a statement, and those with one name do not`() throws {
        let different = try statements { batch in
            for (index, id) in ids.enumerated() { batch.add(.store(.sample(id, name: "name \(index)"))) }
        }
        #expect(different == ["release names", "store sessions"])
        let same = try statements { batch in
            for id in ids[..<2] { batch.add(.store(.sample(id, name: "main"))) }
        }
        #expect(same == ["release names", "store sessions", "release names", "store sessions"])
    }

    @Test
    func `a session that takes a name does so after all changes before`() throws {
        let found = try statements { batch in
            batch.add(.store(.sample(ids[0])))
            batch.add(.update(SessionSnapshot.sample(ids[1], hasEnded: true).summary))
            batch.add(.store(.sample(ids[2], name: "main")))
            batch.add(.update(SessionSnapshot.sample(ids[3]).summary))
        }
        #expect(found == ["store sessions", "update sessions", "release names", "store sessions", "update sessions"])
    }

    @Test
    func `notes are removed after those before and before those after`() throws {
        func note(_ key: UInt64) -> JournalBatch.Change {
            .note(JournalNote(key: JournalNoteKey(high: key, low: 0), until: 1, content: []))
        }
        let found = try statements { batch in
            for change in [note(1), note(2), .removeNotes(until: 1), note(1), note(1)] { batch.add(change) }
        }
        #expect(found == ["set notes", "remove notes", "set notes", "set notes"])
    }

    @Test
    func `the greatest number is that of a row or a snapshot, and fits a bigint`() throws {
        var batch = JournalBatch()
        batch.append(ids[0], rows: 1...3)
        batch.add(.store(.sample(ids[1], covers: 7)))
        #expect(try BatchPlan(batch).greatestNumber == 7)
        batch.add(.store(.sample(ids[1], covers: .max)))
        let refused = batch
        #expect(failure { _ = try BatchPlan(refused) }?.kind == .unsupported)
    }
}
