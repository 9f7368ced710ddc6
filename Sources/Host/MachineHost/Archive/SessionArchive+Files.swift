import HTTPModel

extension SessionArchive {
    /// Returns a session with its turns as JSON text, for ``importSession(_:)``. An encrypted session stays encrypted.
    ///
    /// The text contains the session as its last snapshot has stored it, and all turns since then. The journal has no state from
    /// before, with which a replay of earlier turns could begin. `beginsAt` is the version of the snapshot; it is missing if the
    /// snapshot is encrypted.
    package func export(_ name: String) throws -> String {
        let (summary, entry) = try load(name)
        // That of the snapshot, which another turn may have renewed since the first look.
        var described = entry.snapshot?.summary ?? summary
        // A file that lacks the last turns is then recognized.
        if let session = try? StoredSession(entry) { described.version = session.version }
        return ExportedSession(described, entry).text
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
    /// have seen versions that the file does not contain. A session that has ended is replaced.
    ///
    /// It is the same session, and not a copy. So its effects without an answer are asked again, as after a crash, with their
    /// idempotency keys. A service may therefore receive again what it received before or after the export.
    ///
    /// The content is checked, and not whether a machine can continue it: that runs code of the machine, which is not done in a
    /// server (``RestorationCheck``).
    ///
    /// - Returns: The stored id.
    package func importSession(_ text: String) throws -> String {
        let exported = try ExportedSession(text)
        var session = try exported.examined(opening: seal).session.session
        session.beginEpoch()
        session.changes = []
        let (summary, entry) = (exported.summary, exported.entry)
        try store(
            session, as: summary.id, lifetimeOf: summary,
            wakesAt: entry.rows.last.map(\.wakesAt) ?? summary.wakesAt, isSealed: entry.isSealed)
        return summary.id.text
    }
}
