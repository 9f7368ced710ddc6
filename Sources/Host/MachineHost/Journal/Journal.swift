/// A store for sessions that survive the process: an append-only journal of rows, and one snapshot for each session.
///
/// A row describes one turn of a session, and a snapshot describes a session up to one of its rows. The journal does not
/// know what either contains. The state of a session is its snapshot with the rows after it. Every session begins with a
/// snapshot, and rows are appended to stored sessions only.
///
/// Times are stored times: milliseconds since 1970 on a clock that the host continues from process to process, and that nobody can set.
/// It begins with the wall clock, and may differ from it later.
///
/// The host calls a journal on one thread at a time. A journal is opened by one process only, unless it is a ``SharedJournal``.
///
/// The requirements are what every driver must do. What it may offer beyond is in ``MaintainedJournal``, ``VerifiedJournal``,
/// ``FileJournal`` and ``SharedJournal``; the host asks for these once, when the journal is opened. A journal that needs no maintenance removes the rows that a
/// snapshot contains when it stores the snapshot.
///
/// > Important: An error from ``commit(_:isFlushed:)`` ends the process, which then recovers from what was stored. A journal must
/// never repeat a flush that failed, because the system may have dropped the data that it could not write.
public protocol Journal: AnyObject {
    /// The durability of a committed batch.
    var guarantee: Durability { get }

    /// Stores a batch, completely or not at all.
    ///
    /// - Parameters:
    ///   - batch: The changes, in order. An empty batch does nothing.
    ///   - isFlushed: Whether the batch and all before it must survive the loss of power. Otherwise it must survive the end of
    ///     the process.
    func commit(_ batch: JournalBatch, isFlushed: Bool) throws

    /// Returns a session with the rows after its snapshot, oldest first; nil if it is not stored.
    func load(_ session: StoredSessionID) throws -> JournalEntry?

    /// Returns the summary of a session without reading its content; nil if it is not stored.
    ///
    /// The host asks for it to find out whether a client may know of a session. So the time that it takes must not depend on the
    /// content.
    func summary(of session: StoredSessionID) throws -> SessionSummary?

    /// Returns the greatest number of a row that was stored, also if it was trimmed since; 0 if none exists. The host continues
    /// with greater numbers when it opens a journal. The numbers of a removed session may be forgotten.
    func lastNumber() throws -> UInt64

    /// Returns the summaries of stored sessions whose ids follow a given one, in the order of the ids.
    ///
    /// - Parameters:
    ///   - id: The id after which to begin; nil for the first.
    ///   - limit: The maximum number of sessions.
    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary]

    /// Returns the session of a machine with a name that has not ended; nil if none exists.
    func session(named name: SessionName, of machine: String) throws -> StoredSessionID?

    /// Returns the sessions that must be woken or have expired, by time.
    ///
    /// The rows that this process has committed are not considered: it holds their sessions in memory, and stores a snapshot when it
    /// releases one. The rows that an earlier process left behind are: their ``JournalBatch/JournalRow/wakesAt`` counts, not that of
    /// the snapshot before them.
    ///
    /// - Parameters:
    ///   - time: Sessions whose ``SessionSummary/wakesAt`` or ``SessionSummary/expiresAt`` is at or before this stored
    ///     time, in milliseconds.
    ///   - limit: The maximum number of sessions.
    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary]

    /// Returns the time of the first session that must be woken or expires; nil if none exists.
    func nextDueTime() throws -> Int64?

    /// Returns a named value of the journal itself, such as the version of its content.
    func property(_ name: String) throws -> [UInt8]?

    /// Returns the note with a key; nil if it is not stored. Its time may have passed.
    func note(_ key: JournalNoteKey) throws -> JournalNote?

    /// Flushes everything and releases the journal. Later calls throw.
    func close() throws
}

/// A journal that leaves work for later, such as rows to remove, so that commits take less time.
///
/// A journal whose host never calls these methods works as well, but it grows, and its commits sometimes take longer. The host treats an
/// error like that of a commit.
public protocol MaintainedJournal: Journal {
    /// Removes some of the oldest rows, as long as snapshots contain them. Returns a session whose old snapshot keeps many rows from
    /// being removed, so that the host renews it; nil if none exists.
    ///
    /// A call takes a few milliseconds. It may remove more rows than were appended since the last call, so that regular calls
    /// keep up.
    func trim() throws -> StoredSessionID?

    /// Removes some of the rows that no session needs, also those that are newer than rows that are needed, such as the rows of a
    /// session that has ended. Returns whether there may be more of them.
    ///
    /// The host calls this when nothing has been stored for some time, again and again until it returns false. A call takes a few
    /// milliseconds.
    func tidy() throws -> Bool

    /// Does work that is pending, such as moving rows from a log to their final place, which takes a few milliseconds.
    ///
    /// The host calls this when the answers that waited for a batch have been sent.
    func maintain() throws
}

/// A journal that others can take away from the process that has it open.
public protocol VerifiedJournal: Journal {
    /// Throws if the next process would not find what was committed, for example because files were removed or replaced, or if another
    /// process has taken the journal over. Takes a few microseconds, or as long as a commit.
    ///
    /// A commit must verify the same before it returns. The host calls this regularly, because an idle server commits nothing, and
    /// treats an error like that of a commit.
    func verify() throws
}

/// A journal in files, which other programs may remove or replace, on a disk that they may fill.
public protocol FileJournal: VerifiedJournal {
    /// Returns the bytes that the disk still has room for. Takes a few microseconds.
    func freeBytes() throws -> Int64

    /// Returns the sizes and ages of what is stored, for operators.
    func statistics() throws -> JournalStatistics
}
