/// The key of a note: a digest.
public struct JournalNoteKey: Hashable, Sendable {
    /// The first eight bytes of the digest, in network byte order.
    public let high: UInt64
    /// The other eight bytes.
    public let low: UInt64

    /// Creates a key from a digest.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// A small content that a journal finds by a key until a time, independent of the sessions: the response to a request that
/// created a session.
public struct JournalNote: Equatable, Sendable {
    /// The key.
    public var key: JournalNoteKey
    /// The stored time at which the note may be removed, in milliseconds.
    public var until: Int64
    /// The content.
    public var content: [UInt8]

    /// Creates a note.
    public init(key: JournalNoteKey, until: Int64, content: [UInt8]) {
        self.key = key
        self.until = until
        self.content = content
    }
}
