import HTTPModel
import JSONText
import StateCapture

extension SessionArchive {
    /// The version of exported files.
    private static let format = 1

    /// Returns a session with its turns as JSON text, for ``importSession(_:)``. An encrypted session stays encrypted.
    ///
    /// The text contains the session as its last snapshot has stored it, and all turns since then. The journal has no state from
    /// before, with which a replay of earlier turns could begin. `beginsAt` is the version of the snapshot; it is missing if the
    /// snapshot is encrypted.
    package func export(_ name: String) throws -> String {
        let (summary, entry) = try load(name)
        var rows: [StateValue] = []
        for row in entry.rows {
            rows.append([
                "number": .number("\(row.number)"), "wakesAt": row.wakesAt.map { .number("\($0)") } ?? .null,
                "content": .string(Base64URL.text(of: row.content)),
            ])
        }
        var file: StateValue = [
            "format": "granary-session", "formatVersion": StateValue(integerLiteral: Self.format),
            "id": .string(summary.id.text), "machine": .string(summary.machine),
            "version": .number("\(summary.version)"), "createdAt": .number("\(summary.createdAt)"),
            "usedAt": .number("\(summary.usedAt)"),
            "expiresAt": summary.expiresAt.map { .number("\($0)") } ?? .null,
            "wakesAt": summary.wakesAt.map { .number("\($0)") } ?? .null,
            "covers": .number("\(entry.snapshot?.covers ?? 0)"),
            "snapshot": .string(Base64URL.text(of: entry.snapshot?.content ?? [])), "rows": .array(rows),
        ]
        if let snapshot = entry.snapshot, let session = try? StoredSession(snapshot.content[...]) {
            file["beginsAt"] = .number("\(session.version)")
        }
        return String(decoding: file.json, as: UTF8.self)
    }

    /// Returns a property of the journal that describes its shapes, as text; empty if it was never set. Other properties
    /// are secret.
    package func shapes(_ property: String) throws -> String {
        guard property.hasPrefix(KnownShapes.propertyPrefix) else { return "" }
        return try useJournal { try $0.property(property) }.map { Base64URL.text(of: $0) } ?? ""
    }

    /// Returns the value of a property from its text; nil if it was never set.
    package static func property(of text: String) -> [UInt8]? {
        text.isEmpty ? nil : Base64URL.bytes(of: text.utf8)
    }

    /// Stores an exported session under its former id, so that its clients can continue with it, in a new epoch: they may
    /// have seen versions that the file does not contain.
    ///
    /// It is the same session, and not a copy. So its effects without an answer are asked again, as after a crash, with their
    /// idempotency keys. A service may therefore receive again what it received before or after the export.
    ///
    /// - Returns: The stored id.
    package func importSession(_ text: String) throws -> String {
        let (summary, entry) = try Self.read(text)
        var session: StoredSession
        do {
            session = try StoredSession(entry, opening: seal)
        } catch let error as UnreadableSession {
            throw error
        } catch {
            throw ArchiveError.notExported("its session is damaged")
        }
        session.beginEpoch()
        session.changes = []
        try store(
            session, as: summary.id, lifetimeOf: summary,
            wakesAt: entry.rows.last.map(\.wakesAt) ?? summary.wakesAt, isSealed: entry.isSealed)
        return summary.id.text
    }

    /// Reads an exported file.
    static func read(_ text: String) throws -> (summary: SessionSummary, entry: JournalEntry) {
        guard let file = try? StateValue(json: text.utf8), file["format"]?.text == "granary-session" else {
            throw ArchiveError.notExported("it is another file, or not complete")
        }
        let version = file["formatVersion"]?.integer ?? 0
        guard version == format else {
            let found = version > format ? "\(version), which a newer build has written" : "\(version)"
            throw ArchiveError.notExported("its format has version \(found), and this build reads version \(format)")
        }
        func member<Value>(_ name: String, _ read: (StateValue) -> Value?) throws -> Value {
            guard let value = file[name].flatMap(read) else {
                throw ArchiveError.notExported("its member \"\(name)\" is missing or invalid")
            }
            return value
        }
        let id = try member("id") { $0.text.flatMap { $0.utf8.count == 32 ? StoredSessionID(beginning: $0) : nil } }
        func time(_ name: String) -> Int64? { file[name]?.integer.map(Int64.init) }
        let summary = SessionSummary(
            id: id, machine: try member("machine", \.text), version: try member("version") { $0.unsigned },
            createdAt: Int64(try member("createdAt", \.integer)), usedAt: Int64(try member("usedAt", \.integer)),
            expiresAt: time("expiresAt"), wakesAt: time("wakesAt"), hasEnded: false)
        let rows = try member("rows") { value -> [JournalEntry.Row]? in
            guard case .array(let rows) = value else { return nil }
            let read = rows.compactMap { row -> JournalEntry.Row? in
                guard let number = row["number"]?.unsigned, let content = row["content"]?.bytes else { return nil }
                return JournalEntry.Row(
                    number: number, wakesAt: row["wakesAt"]?.integer.map(Int64.init), content: content)
            }
            return read.count == rows.count ? read : nil
        }
        let snapshot = SessionSnapshot(
            summary: summary, covers: try member("covers") { $0.unsigned }, content: try member("snapshot") { $0.bytes }
        )
        return (summary, JournalEntry(snapshot: snapshot, rows: rows))
    }
}

extension StateValue {
    fileprivate var unsigned: UInt64? {
        if case .number(let text) = self { UInt64(text) } else { nil }
    }

    fileprivate var bytes: [UInt8]? { text.flatMap { Base64URL.bytes(of: $0.utf8) } }
}
