/// The part of a stored session that a journal finds without reading its content.
public struct SessionSummary: Equatable, Sendable {
    /// The stored id.
    public var id: StoredSessionID
    /// The name of its machine.
    public var machine: String
    /// The version of its outputs.
    public var version: UInt64
    /// The wall time of its creation, in milliseconds of Unix time.
    public var createdAt: Int64
    /// The stored time of its last use, in milliseconds.
    public var usedAt: Int64
    /// The stored time at which it expires if it is not used, in milliseconds; nil if it never expires.
    public var expiresAt: Int64?
    /// The stored time at which it must be woken, in milliseconds; nil if it need not be woken.
    public var wakesAt: Int64?
    /// Whether the session has ended, and is stored only so that clients learn that.
    public var hasEnded: Bool
    /// The principal to which it belongs, which is that of its name if it has one; nil if everyone who knows its id may use it, or an
    /// older build has stored it.
    public var owner: SessionOwner? {
        get {
            assert(name == nil || unnamedOwner == nil, "expected the owner of the name only")
            return name?.owner ?? unnamedOwner?.owner
        }
        set { unnamedOwner = name == nil ? newValue.map { UnnamedOwner($0) } : nil }
    }
    /// Its name; nil if its owner has given it none, or has given the name to another session since.
    public var name: SessionName? {
        didSet {
            // A session that loses its name keeps its owner.
            unnamedOwner = name == nil ? oldValue.map { UnnamedOwner($0.owner) } ?? unnamedOwner : nil
        }
    }
    private var unnamedOwner: UnnamedOwner?

    /// The owner of a session without a name.
    // One reference: a summary is kept for each session that sleeps with open streams.
    private final class UnnamedOwner: Equatable, Sendable {
        let owner: SessionOwner

        init(_ owner: SessionOwner) { self.owner = owner }

        static func == (left: UnnamedOwner, right: UnnamedOwner) -> Bool { left.owner == right.owner }
    }

    /// Returns the summary with its times on another clock, which is ahead by some milliseconds.
    func moved(by lead: Int64) -> SessionSummary {
        var moved = self
        moved.usedAt &+= lead
        moved.expiresAt = expiresAt.map { $0 &+ lead }
        moved.wakesAt = wakesAt.map { $0 &+ lead }
        return moved
    }

    /// Creates a summary. Times outside of the years 855 to 3084, which somebody else may have stored, become the nearest of these.
    public init(
        id: StoredSessionID, machine: String, version: UInt64, createdAt: Int64, usedAt: Int64, expiresAt: Int64?,
        wakesAt: Int64?, hasEnded: Bool, owner: SessionOwner? = nil, name: SessionName? = nil
    ) {
        self.id = id
        self.machine = machine
        self.version = version
        self.createdAt = RecordReader.nearestTime(to: createdAt)
        self.usedAt = RecordReader.nearestTime(to: usedAt)
        self.expiresAt = expiresAt.map(RecordReader.nearestTime)
        self.wakesAt = wakesAt.map(RecordReader.nearestTime)
        self.hasEnded = hasEnded
        self.name = name
        unnamedOwner = name == nil ? owner.map { UnnamedOwner($0) } : nil
    }
}

/// The content of a session up to one of its rows.
public struct SessionSnapshot: Equatable, Sendable {
    /// The summary, which is available without reading the content.
    public var summary: SessionSummary
    /// The number of the last row that the snapshot contains.
    public var covers: UInt64
    /// The content.
    public var content: [UInt8]

    /// Creates a snapshot.
    public init(summary: SessionSummary, covers: UInt64, content: [UInt8]) {
        self.summary = summary
        self.covers = covers
        self.content = content
    }
}

/// A stored session: its snapshot and the rows after it.
public struct JournalEntry: Equatable, Sendable {
    /// A row as it was stored.
    public struct Row: Equatable, Sendable {
        /// Its number.
        public var number: UInt64
        /// The stored time at which the session must be woken after this row, in milliseconds; nil if it need not be woken.
        public var wakesAt: Int64?
        /// Its content.
        public var content: [UInt8]

        /// Creates a row.
        public init(number: UInt64, wakesAt: Int64?, content: [UInt8]) {
            self.number = number
            self.wakesAt = wakesAt
            self.content = content
        }
    }

    /// The snapshot. A journal always has one for a stored session.
    public var snapshot: SessionSnapshot?
    /// The rows after the snapshot, oldest first.
    public var rows: [Row]

    /// Creates an entry.
    public init(snapshot: SessionSnapshot?, rows: [Row]) {
        self.snapshot = snapshot
        self.rows = rows
    }
}

/// The sizes and ages of what a journal stores.
public struct JournalStatistics: Equatable, Sendable {
    /// The number of sessions that have not ended.
    public var sessions = 0
    /// The number of rows that no snapshot contains.
    public var rows = 0
    /// The bytes on disk.
    public var bytes: Int64 = 0
    /// The stored time at which the least recently used session that has not ended was last used, in milliseconds; nil if no such
    /// session exists.
    public var oldestUse: Int64?

    /// Creates empty statistics.
    public init() {}
}

/// An error of a journal, in words for the operator.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors that the host treats differently.
    public enum Kind: String, Sendable {
        /// The content cannot be read.
        case damaged
        /// The disk is full.
        case full
        /// Reading or writing failed.
        case inputOutput = "input-output"
        /// Another process holds the journal.
        case held
        /// The directory or file may not be written.
        case readOnly = "read-only"
        /// Others than the owner may access the directory.
        case unprotected
        /// The journal was written by a newer version.
        case newer
        /// The journal was closed.
        case closed
        /// The operation is not available.
        case unsupported
    }

    /// The kind.
    public var kind: Kind
    /// The expectation and the finding, as a clause without a full stop.
    public var detail: String

    /// Creates an error.
    public init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The error as one line.
    public var description: String { detail }
}
