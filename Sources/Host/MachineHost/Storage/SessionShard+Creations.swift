import Access
import HTTPModel

/// The key of a request for a new session.
struct CreationKey {
    let digest: RequestDigest
    /// Hides the session's id in the note of the key: nothing that is stored leads to it without the key.
    let mask: RequestDigest
}

/// A request with a key that creates a session.
struct KeyedCreation {
    let key: CreationKey
    /// The digest of the request.
    let request: RequestDigest
    /// The bytes that identify the principal of a browser that makes its first visit; otherwise empty.
    let visitor: [UInt8]
}

/// The response to a request that created a session, as a note contains it.
struct StoredCreation: Equatable {
    /// The digest of the request.
    let request: RequestDigest
    /// The session's id under a mask.
    // The id is a credential, and credentials are not stored. Its mask depends on the key, which only the client has.
    let maskedID: RequestDigest
    /// The representation of the session after its id.
    let rest: ArraySlice<UInt8>
    /// The bytes that identify the principal of a browser that has made its first visit; otherwise empty.
    // Not hidden: a cookie is signed, so the principal's id is no credential.
    let visitor: [UInt8]

    /// The number of bytes that identify the principal of a first visit.
    static let visitorCount = 16

    /// The representation of a session before its id.
    private static let beginning = Array("{\"id\":\"".utf8)

    init(_ creation: KeyedCreation, _ id: SessionID, description: [UInt8]) {
        request = creation.request
        maskedID = StoredCreation.masked(id, creation.key.mask)
        visitor = creation.visitor
        assert(description.starts(with: StoredCreation.beginning), "expected a description that begins with the id")
        rest = description.dropFirst(StoredCreation.beginning.count + SessionID.textCount)
    }

    /// Reads a note.
    init(_ bytes: ArraySlice<UInt8>) throws(RecordReader.Damaged) {
        var reader = RecordReader(bytes)
        request = try reader.digest()
        maskedID = try reader.digest()
        rest = try reader.content()
        // Absent in notes of older builds, and of other requests.
        visitor = reader.isAtEnd ? [] : Array(try reader.content())
        guard visitor.isEmpty || visitor.count == StoredCreation.visitorCount else { throw RecordReader.Damaged() }
        guard reader.isAtEnd else { throw RecordReader.Damaged() }
    }

    /// The content of a note.
    var content: [UInt8] {
        var writer = RecordWriter()
        writer.append(request)
        writer.append(maskedID)
        writer.append(rest)
        if !visitor.isEmpty { writer.append(visitor) }
        return writer.take()
    }

    /// Returns what is remembered: the visitor, the id of the session and its representation.
    func response(mask: RequestDigest) -> [UInt8] {
        let words = StoredCreation.masked(SessionID(high: maskedID.high, low: maskedID.low), mask)
        let id = Array(SessionID(high: words.high, low: words.low).text.utf8)
        return visitor + id + StoredCreation.beginning + id + rest
    }

    private static func masked(_ id: SessionID, _ mask: RequestDigest) -> RequestDigest {
        RequestDigest(low: id.low ^ mask.low, high: id.high ^ mask.high)
    }
}

// Keys of requests that created sessions, in this process or an earlier one.
extension SessionShard {
    /// Returns the note that stores the response to a request that creates a session.
    func note(of creation: KeyedCreation, _ session: Session) -> JournalNote {
        // The outputs may contain what a secret has led to, and a note is not encrypted.
        let complete = session.machineKind.definition.secrets.isEmpty ? description(of: session, nil).bytes : nil
        let kept = complete.flatMap { $0.count <= creations.limits.maxResponseBytes ? $0 : nil }
        let stored = StoredCreation(creation, session.id, description: kept ?? shortDescription(of: session))
        return JournalNote(
            key: JournalNoteKey(creation.key.digest),
            until: clock.storedMilliseconds + creations.limits.age.wholeMilliseconds, content: stored.content)
    }

    /// Queues a request for a new session until it is known whether an earlier process has responded to one of its keys.
    func recall(_ keys: [CreationKey], for waiting: PendingRequest) {
        readJournal(for: waiting) { journal in
            // A journal that cannot be read fails at the next commit, before the new session is announced.
            let notes = keys.map { try? journal?.note(JournalNoteKey($0.digest)) }
            return { shard, waiting in
                for (key, note) in zip(keys, notes) { if let note { shard.remember(note, key, waiting) } }
                shard.resume(waiting)
            }
        }
    }

    /// Remembers the response that an earlier process gave to a key.
    private func remember(_ note: JournalNote, _ key: CreationKey, _ waiting: PendingRequest) {
        guard let stored = try? StoredCreation(note.content[...]) else { return }
        let left = Duration.milliseconds(note.until - clock.storedMilliseconds)
        guard left > .zero else { return }
        let limits = creations.limits
        creations.use { window in
            window.restore(
                key.digest, request: stored.request, response: stored.response(mask: key.mask),
                of: keyHolder(of: waiting.request, from: waiting.requester),
                age: max(.zero, limits.age - left), now: loop.now, limits: limits)
        }
    }
}

extension JournalNoteKey {
    fileprivate init(_ digest: RequestDigest) {
        self.init(high: digest.high, low: digest.low)
    }
}
