import Access
import HTTPModel

/// The situation of a session, as far as its host knows.
package enum SessionSituation: String, Sendable, CaseIterable {
    /// Its machine is in memory.
    case live
    /// It is stored, and its machine is not in memory.
    case dormant
    /// It has ended too many processes, and is not restored for some time.
    case quarantined
    /// It has ended, and only its end is stored.
    case ended
}

/// The criteria for the sessions that an operator requests.
package struct SessionQuery: Sendable {
    /// The beginning of the stored id, in hexadecimal digits; empty for all.
    package var beginning = ""
    /// The name of the session in the log of this process; nil for all.
    package var logName: String?
    /// The machine; nil for all.
    package var machine: String?
    /// The hash of the principal, as it is in the log; nil for all.
    package var principal: String?
    /// The situation; nil for all.
    package var situation: SessionSituation?
    /// The least age; nil for all.
    package var olderThan: Duration?
    /// The greatest age; nil for all.
    package var youngerThan: Duration?
    /// The least time since the last use; nil for all.
    package var unusedFor: Duration?
    /// The id after which to begin; nil for the first.
    package var after: StoredSessionID?
    /// The maximum number of sessions.
    package var limit = 100

    package init() {}

    /// Returns whether a session may be in the result, as far as that can be told from its summary.
    func admits(_ summary: SessionSummary, now: Int64) -> Bool {
        if !beginning.isEmpty, !summary.id.text.hasPrefix(beginning) { return false }
        if let machine, summary.machine != machine { return false }
        if let principal, summary.owner?.hash?.description != principal { return false }
        let age = now - summary.createdAt
        if let olderThan, age < olderThan.wholeMilliseconds { return false }
        if let youngerThan, age >= youngerThan.wholeMilliseconds { return false }
        if let unusedFor, now - summary.usedAt < unusedFor.wholeMilliseconds { return false }
        return !(summary.hasEnded && situation != nil && situation != .ended)
    }
}
