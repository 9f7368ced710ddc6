import Access
import JSONText
import StateCapture

/// Reads a session that somebody else may have stored, and requires of it what this program guarantees of its own sessions.
///
/// Decoding alone ensures only that the bytes are a session. Versions, values and names are then sent to clients, decoded by
/// machines and used in calculations, so they are checked before anything is stored.
struct ExaminedSession {
    /// The greatest version: that of a client whose numbers have 53 bits.
    static let greatestVersion: UInt64 = 1 << 53

    /// The session after its last turn.
    private(set) var session: StoredSession
    /// The session as its snapshot contains it.
    let snapshot: StoredSession

    /// Examines a decrypted session.
    ///
    /// - Throws: ``ArchiveError/notExported(_:)`` with the first value that is not as expected.
    init(_ entry: JournalEntry) throws(ArchiveError) {
        guard let content = entry.snapshot?.content, let snapshot = try? StoredSession(content[...]) else {
            throw .notExported("its snapshot is damaged")
        }
        self.snapshot = snapshot
        session = snapshot
        try Self.requireLegal(snapshot)
        for (index, row) in entry.rows.enumerated() { try apply(row.content, number: index + 1) }
        guard session.version <= Self.greatestVersion else {
            throw .notExported("expected a version up to \(Self.greatestVersion), got \(session.version)")
        }
    }

    /// Requires that the summary of a file describes this session.
    func requireMatch(_ exported: ExportedSession) throws(ArchiveError) {
        let summary = exported.summary
        guard summary.machine == session.machine else {
            throw .notExported(
                "it names the machine \"\(summary.machine.prefix(64))\", but contains a session of "
                    + "\"\(session.machine.prefix(64))\"")
        }
        guard exported.beginsAt ?? snapshot.version == snapshot.version else {
            throw .notExported(
                "expected \(snapshot.version) as \"beginsAt\", got \(exported.beginsAt ?? 0)")
        }
        // The summary is renewed less often than the session.
        guard summary.version <= session.version else {
            throw .notExported("expected at most \(session.version) as \"version\", got \(summary.version)")
        }
        guard summary.createdAt == session.created * 1000 else {
            throw .notExported("expected \(session.created * 1000) as \"createdAt\", got \(summary.createdAt)")
        }
        // The id of a session with a name is stored with it, and its owner's clients are sent there.
        if let named = session.named, StoredSessionID(of: named.id) != summary.id {
            throw .notExported(
                "expected the id \(StoredSessionID(of: named.id).text), to which its name leads, got \(summary.id.text)"
            )
        }
    }

    private mutating func apply(_ content: [UInt8], number: Int) throws(ArchiveError) {
        guard let record = try? TurnRecord(content[...]) else { throw .notExported("its turn \(number) is damaged") }
        let expected = session.version + (record.change == nil ? 0 : 1)
        guard record.version == expected else {
            throw .notExported("expected version \(expected) after its turn \(number), got \(record.version)")
        }
        try Self.requireLegal(record, "turn \(number)")
        session.apply(record)
        guard record.effects.isEmpty || Set(session.effects.map(\.id)).count == session.effects.count else {
            throw .notExported("expected a new number for each effect of its turn \(number), got one that is in use")
        }
    }
}

// The values of a snapshot.
extension ExaminedSession {
    private static func requireLegal(_ session: StoredSession) throws(ArchiveError) {
        try requireLegalValues(of: session)
        // Each state before a migration contains the one before it.
        var outer = session
        while let preMigrationState = outer.preMigrationState {
            guard let inner = try? StoredSession(preMigrationState.content), inner.machine == session.machine,
                inner.stateVersion == preMigrationState.stateVersion, inner.stateVersion < outer.stateVersion
            else {
                throw .notExported("its state before the migration to version \(outer.stateVersion) is damaged")
            }
            try requireLegalValues(of: inner)
            outer = inner
        }
    }

    private static func requireLegalValues(of session: StoredSession) throws(ArchiveError) {
        for (name, json) in session.shown {
            guard PortName.isAddressable(name) else {
                throw .notExported("expected the name of an output, got a string of \(name.utf8.count) bytes")
            }
            try requireLine(json, "the output \"\(name.prefix(64))\"")
        }
        for change in session.changes { try requireObject(change.data, "the change to version \(change.version)") }
        for (key, json) in session.states { try requireLine(json, "the state \"\(key.prefix(64))\"") }
        for request in session.keyed { try requireLegal(response: request.response, "a remembered response") }
        for effect in session.effects { try requireLegal(effect, "the effects") }
        guard Set(session.effects.map(\.id)).count == session.effects.count else {
            throw .notExported("expected a number for each effect, got one for two")
        }
        if let parameters = session.parameters { try requireJSON(parameters, "the parameters") }
        try requireLegalOwner(of: session)
    }

    private static func requireLegalOwner(of session: StoredSession) throws(ArchiveError) {
        let (owner, principal) = (session.ownership.owner, session.ownership.principal)
        guard owner != nil || principal == nil else {
            throw .notExported("expected the owner of a session that was created with a credential, got none")
        }
        // A name belongs to its owner, and the journal finds the owner by it.
        if let name = session.named?.name, owner.map({ SessionOwner($0) }) != name.owner {
            throw .notExported("expected that its name belongs to its owner, got the name of another one")
        }
    }
}

// The values of a turn.
extension ExaminedSession {
    private static func requireLegal(_ record: TurnRecord, _ place: String) throws(ArchiveError) {
        switch record.trigger {
        case .input(_, let value): try requireJSON(value, "the input of its \(place)")
        case .batch(let inputs): try requireJSON(inputs, "the batch of its \(place)")
        case .received(_, _, let value): try requireJSON(value, "the value of a topic of its \(place)")
        case .scheduled, .resumed: break
        }
        if let change = record.change { try requireObject(change, "the change of its \(place)") }
        var size = 0
        for (key, json) in StateChanges(record.states) {
            try requireLine(json, "the state \"\(key.prefix(64))\" of its \(place)")
            size += 6 + key.utf8.count + json.count
        }
        guard size == record.states.count else {
            throw .notExported("expected \(record.states.count) bytes of states in its \(place), got \(size)")
        }
        if let response = record.keyed?.response {
            try requireLegal(response: response, "the response of its \(place)")
        }
        for event in record.effects { try requireLegal(event, place) }
    }

    private static func requireLegal(_ event: EffectEvent, _ place: String) throws(ArchiveError) {
        switch event {
        case .started(let effect): try requireLegal(effect, "its \(place)")
        case .ended(_, .answer(let json)), .ended(_, .failure(let json)):
            try requireJSON(json, "the answer of an effect in its \(place)")
        case .asked, .fired, .ended: break
        }
    }

    private static func requireLegal(_ effect: OpenEffect, _ place: String) throws(ArchiveError) {
        // A row has its trace under the number 0.
        guard effect.id > 0 else { throw .notExported("expected a number from 1 on for an effect in \(place), got 0") }
        guard case .answer(let question, _) = effect.work else { return }
        try requireJSON(question, "the question of an effect in \(place)")
    }

    private static func requireLegal(
        response: ArraySlice<UInt8>, _ name: @autoclosure () -> String
    ) throws(ArchiveError) {
        // A refusal begins with its kind.
        let isRefusal = RememberedRefusal(Array(response.prefix(1))) != nil
        let json = isRefusal ? response.dropFirst() : response
        try requireObject(json, name())
        try requireJSON(json, name())
    }
}

// JSON.
extension ExaminedSession {
    /// Requires JSON without the white space around and between its parts that would end a line of an event stream.
    private static func requireLine(
        _ json: ArraySlice<UInt8>, _ name: @autoclosure () -> String
    ) throws(ArchiveError) {
        guard json.allSatisfy({ $0 >= 0x20 }), json.first != 0x20, json.last != 0x20 else {
            throw .notExported("expected JSON on one line for \(name()), got other text")
        }
        try requireJSON(json, name())
    }

    private static func requireObject(
        _ json: ArraySlice<UInt8>, _ name: @autoclosure () -> String
    ) throws(ArchiveError) {
        guard json.first == UInt8(ascii: "{") else { throw .notExported("expected a JSON object for \(name())") }
        try requireLine(json, name())
    }

    private static func requireJSON(
        _ json: ArraySlice<UInt8>, _ name: @autoclosure () -> String
    ) throws(ArchiveError) {
        do {
            _ = try JSONScanner.document(Array(json), nestingLimit: StateValue.nestingLimit)
        } catch {
            throw .notExported(
                "expected JSON of at most \(StateValue.nestingLimit) levels for \(name()), got \(json.count) bytes of other text"
            )
        }
    }
}

extension ExportedSession {
    /// Returns the session with its rows, decrypted and examined.
    ///
    /// - Throws: ``UnreadableSession`` with the name of the key that is missing, or ``ArchiveError/notExported(_:)``.
    func examined(opening seal: SessionSeal) throws -> (session: ExaminedSession, entry: JournalEntry) {
        let entry: JournalEntry
        do {
            entry = try seal.open(self.entry)
        } catch is RecordReader.Damaged {
            throw ArchiveError.notExported("its content is encrypted for another session, or damaged")
        }
        let session = try ExaminedSession(entry)
        try session.requireMatch(self)
        return (session, entry)
    }
}
