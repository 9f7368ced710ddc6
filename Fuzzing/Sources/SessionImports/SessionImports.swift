import Fuzz
import HTTPModel
import StateCapture

@testable import MachineHost

/// Exported sessions that somebody else has written: each is refused with a reason, or can be listed, shown, forked, replayed, and
/// exported and imported again as the same session.
///
/// An input that begins with `{` is a file. Otherwise, its first byte says whether the rest is a snapshot or a turn, which are put into a
/// file that fits.
@main enum SessionImports {
    private static let id = StoredSessionID(high: 1, low: 2)
    private static let now = WallTime(seconds: 1_767_225_600)

    static func main() {
        Fuzzer.run(checkInput)
    }

    fileprivate static func check(_ input: FuzzInput) {
        var input = input
        guard input.rest.first != UInt8(ascii: "{") else {
            return check(String(decoding: input.rest, as: UTF8.self))
        }
        let isSnapshot = input.byte() & 1 == 1
        let bytes = Array(input.rest)
        if isSnapshot { check(file(bytes, rows: [])) } else { check(file(snapshot().content, rows: [bytes])) }
    }

    /// Returns a session to which a turn may be added.
    private static func snapshot() -> StoredSession {
        var session = StoredSession(machine: "counter", epoch: Epoch(bits: 5), created: 1, lastInput: 1000, version: 0)
        session.states = ["store.0.count": Array("1".utf8)[...]]
        return session
    }

    /// Returns the text of a session whose summary fits its snapshot.
    private static func file(_ content: [UInt8], rows: [[UInt8]]) -> String {
        let session = try? StoredSession(content[...])
        let summary = SessionSummary(
            id: session?.named.map { StoredSessionID(of: $0.id) } ?? id, machine: session?.machine ?? "counter",
            version: session?.version ?? 0, createdAt: (session?.created ?? 1) * 1000, usedAt: 1000, expiresAt: 9000,
            wakesAt: nil, hasEnded: false)
        let entries = rows.enumerated().map { index, row in
            JournalEntry.Row(number: UInt64(index) + 1, wakesAt: nil, content: row)
        }
        let snapshot = SessionSnapshot(summary: summary, covers: 0, content: content)
        return ExportedSession(summary, JournalEntry(snapshot: snapshot, rows: entries)).text
    }

    private static func check(_ text: String) {
        let journal = MemoryJournal()
        let archive = SessionArchive(DirectJournalAccess(journal)) { now }
        let name: String
        do {
            _ = try? SessionRecording(text)
            name = try archive.importSession(text)
        } catch is ArchiveError {
            return
        } catch is UnreadableSession {
            return
        } catch {
            Fuzzer.found("an import failed with \(error)")
        }
        do {
            _ = try (archive.list(), archive.show(name), archive.fork(name, at: nil))
            let first = try session(name, archive)
            let again = try archive.export(name)
            try archive.delete(name)
            let second = try session(try archive.importSession(again), archive)
            Fuzzer.expect(first == second, "another session was imported than was exported")
            var migrated = first
            let definition = machine.versioned(first.stateVersion == .max ? 1 : first.stateVersion + 1)
            _ = try? migrated.fit(definition, build: "", now: now.sinceBeginning / 1_000_000, window: 1000)
            _ = first.traps.quarantineEnd(now: now.sinceBeginning / 1_000_000)
        } catch {
            Fuzzer.found("an imported session failed: \(error)")
        }
    }

    private static func session(_ name: String, _ archive: SessionArchive) throws -> StoredSession {
        var session = try StoredSession(try archive.load(name).entry, opening: SessionSeal())
        session.epoch = Epoch(bits: 0)
        return session
    }

    private static let machine = MachineDefinition(
        name: "counter", summary: "", inputs: [], outputs: [],
        make: { _ in throw UnreadableSession.noMigration(from: 0) })
}

/// The entry point that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    SessionImports.check(FuzzInput(start, count))
    return 0
}
