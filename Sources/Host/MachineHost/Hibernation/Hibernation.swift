/// The sessions of a loop that sleep, as far as they are in memory.
struct Hibernation {
    /// The sessions with open streams.
    var slots: [StoredSessionID: DormantSession] = [:]
    var buckets = DeadlineBuckets<StoredSessionID>()
    /// The sessions that have gone to sleep and are about to be stored.
    var leaving: [SessionSummary] = []
}

/// A session that was loaded without its machine for requests that do not need it.
// A class, so that other requests hold a nil reference only.
final class SleepingSession {
    /// The session as clients see it.
    let session: Session
    /// Its summary in the journal.
    let summary: SessionSummary

    init(_ session: Session, _ summary: SessionSummary) {
        (self.session, self.summary) = (session, summary)
    }
}

/// The reason for which the machine of a session stays in memory.
enum AwakeReason: Equatable {
    /// Sessions do not sleep (`sessions.hibernateAfter`).
    case configuration
    /// An effect waits for its answer. The time is a stored time, in milliseconds.
    case effect(name: String, since: Int64)
    /// Work that would be lost: that of an operator, or a block if there is no name.
    case work(name: String?)
    /// A topic to which the session subscribes, or of which it is a member.
    case topic(name: String)
    /// A timer is due soon. The time is a stored time, in milliseconds.
    case timer(due: Int64)
    /// The last change is not stored yet.
    case storage
    /// A client has not received everything.
    case stream
    /// The session was used a short time ago.
    case use
}
