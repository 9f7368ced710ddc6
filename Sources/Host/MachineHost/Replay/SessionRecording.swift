/// A recorded session: a file that `sessions export` has written. It contains the session at one moment, and every turn after
/// it that the journal still held, with inputs, answers of effects, timers and times.
package struct SessionRecording {
    package let machine: String
    /// Whether the recording begins when the session was created.
    package let beginsWithCreation: Bool
    /// The version of the session with which the recording begins.
    package var firstVersion: UInt64 { snapshot.version }
    package var turnCount: Int { rows.count }
    /// The session before the first turn.
    let snapshot: StoredSession
    let rows: [JournalEntry.Row]

    /// Reads an exported file.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - seal: The seal that decrypts an encrypted session.
    /// - Throws: `ArchiveError` if the text is not one, or ``UnreadableSession`` with the name of the key that is missing.
    package init(_ text: String, opening seal: SessionSeal = SessionSeal()) throws {
        let exported = try ExportedSession(text)
        let (examined, entry) = try exported.examined(opening: seal)
        snapshot = examined.snapshot
        machine = snapshot.machine
        rows = entry.rows
        // A later snapshot contains at least one row.
        beginsWithCreation = entry.snapshot?.covers == 0 && snapshot.version == 0
    }

    /// Returns a turn.
    ///
    /// - Throws: `ArchiveError` if it is damaged.
    func record(_ index: Int) throws -> TurnRecord {
        do {
            return try TurnRecord(rows[index].content[...])
        } catch {
            throw ArchiveError.notExported("its turn \(index + 1) is damaged")
        }
    }
}
