import MachineHost

@testable import SQLiteJournal

extension StoredSessionID {
    static func sample(_ number: UInt64) -> StoredSessionID {
        StoredSessionID(high: number &* 0x9e37_79b9_7f4a_7c15, low: number)
    }
}

extension SessionSnapshot {
    static func sample(_ session: StoredSessionID, covers: UInt64 = 0, content: [UInt8] = [1]) -> SessionSnapshot {
        SessionSnapshot(
            summary: SessionSummary(
                id: session, machine: "counter", version: covers, createdAt: 1, usedAt: 2, expiresAt: nil, wakesAt: nil,
                hasEnded: false), covers: covers, content: content)
    }
}

extension Journal {
    func commit(isFlushed: Bool = true, _ fill: (inout JournalBatch) throws -> Void) throws {
        var batch = JournalBatch()
        try fill(&batch)
        try commit(batch, isFlushed: isFlushed)
    }

    /// Stores a session and rows whose contents are their numbers.
    func append(_ session: StoredSessionID, rows: ClosedRange<UInt64>, isFlushed: Bool = true) throws {
        try commit(isFlushed: isFlushed) { batch in
            if rows.lowerBound == 1 { batch.add(.store(.sample(session))) }
            for number in rows {
                batch.append(session: session, number: number, previous: number - 1, wakesAt: nil) { bytes in
                    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
                }
            }
        }
    }

    func numbers(of session: StoredSessionID) throws -> [UInt64] {
        try load(session)?.rows.map(\.number) ?? []
    }
}

/// Returns the error that a closure throws; nil if it throws none.
func failure(_ body: () throws -> Void) -> JournalError? {
    do {
        try body()
        return nil
    } catch {
        return error as? JournalError
    }
}
