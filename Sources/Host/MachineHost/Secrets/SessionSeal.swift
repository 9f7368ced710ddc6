import Glibc

/// The encryption of what is stored of sessions whose machines have secrets.
///
/// The content of such a session is encrypted as a whole: what a secret leads to is as secret as itself, in outputs, in
/// operators, in the questions of effects and in the responses to keyed requests.
package struct SessionSeal: Sendable {
    private let keys: SecretKeys?
    /// The names of the machines with secrets.
    private let machines: Set<String>

    /// Creates the seal of a program.
    ///
    /// - Parameters:
    ///   - keys: The keys. Without keys (nil), encrypted sessions cannot be read.
    ///   - machines: The machines; those without secrets are ignored.
    package init(_ keys: SecretKeys? = nil, machines: [MachineDefinition] = []) {
        self.keys = keys
        // Without a key, sessions that are stored in clear text stay as they are, and are not loaded.
        self.machines = keys == nil ? [] : Set(machines.lazy.filter { !$0.secrets.isEmpty }.map(\.name))
    }

    /// Whether the sessions of a machine are encrypted.
    func seals(_ machine: String) -> Bool { machines.contains(machine) }

    /// Encrypts the bytes from an index to the end.
    func seal(_ bytes: inout [UInt8], from start: Int = 0, _ kind: SealedContent.Kind, of session: StoredSessionID) {
        // Without a key, such a session is neither created as a stored one nor loaded. Not a precondition, because
        // an unchecked build would store the clear text.
        guard let key = keys?.first else { abort() }
        SealedContent.seal(&bytes, from: start, kind, of: session, with: key)
    }

    /// Returns the content of a session, as it is stored in a snapshot.
    ///
    /// - Parameter isSealed: Whether it was encrypted before, whatever its machine is now.
    func content(of stored: StoredSession, _ session: StoredSessionID, isSealed: Bool = false) -> [UInt8] {
        var content = stored.content
        guard isSealed || seals(stored.machine) else { return content }
        seal(&content, .snapshot, of: session)
        assert(SealedContent(content[...]) != nil, "expected encrypted content")
        return content
    }

    /// Returns a session with decrypted contents.
    ///
    /// - Throws: ``UnreadableSession`` if its key is missing, or `RecordReader.Damaged`.
    func open(_ entry: JournalEntry) throws -> JournalEntry {
        guard entry.isSealed, let snapshot = entry.snapshot else { return entry }
        let id = snapshot.summary.id
        let content = try open(snapshot.content, .snapshot, of: id)
        let rows = try entry.rows.map { row in
            JournalEntry.Row(number: row.number, wakesAt: row.wakesAt, content: try open(row.content, .row, of: id))
        }
        return JournalEntry(
            snapshot: SessionSnapshot(summary: snapshot.summary, covers: snapshot.covers, content: content), rows: rows)
    }

    private func open(_ content: [UInt8], _ kind: SealedContent.Kind, of session: StoredSessionID) throws -> [UInt8] {
        guard let sealed = SealedContent(content[...]) else { return content }
        guard let key = keys?[sealed.keyID] else {
            throw UnreadableSession.sealed(key: SecretKey.name(of: sealed.keyID))
        }
        return try sealed.open(kind, of: session, with: key)
    }
}

extension JournalEntry {
    /// Whether a part of the session is encrypted.
    var isSealed: Bool { sealedWith != nil }

    /// The name of the key with which the newest encrypted part is encrypted; nil if nothing is.
    var sealedWith: String? {
        let contents = [snapshot?.content ?? []] + rows.map(\.content)
        return contents.lazy.reversed().compactMap { SealedContent($0[...]) }.first.map { SecretKey.name(of: $0.keyID) }
    }
}
