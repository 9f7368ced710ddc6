/// The closures by which the writer notifies a loop. Called on any thread.
struct JournalListener: Sendable {
    let loop: Int
    let loopCount: Int
    let journalWasOpened: @Sendable () -> Void
    /// Receives the number of changes of the loop that are stored.
    let changesWereStored: @Sendable (UInt64) -> Void
    /// Receives sessions that must be woken or have expired.
    let sessionsAreDue: @Sendable ([SessionSummary]) -> Void
    /// Reports that the snapshot of a session was renewed, and the number of the last row that it covers.
    let snapshotWasRenewed: @Sendable (StoredSessionID, UInt64) -> Void
    /// Ends a session for an operator, and reports whether it was ended.
    let endSession: @Sendable (SessionSummary, @escaping @Sendable (Bool) -> Void) -> Void
    /// Notifies the loop that a session is stored which may have ended before.
    let forgetEnd: @Sendable (StoredSessionID) -> Void
    /// Reports the number of effects that wait for an answer.
    let countEffects: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
    /// Stops turns, and reports that the loop adds no more changes.
    let suspend: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Continues with turns.
    let resume: @Sendable () -> Void
    /// Called when the journal has not performed a call for longer than clients should wait.
    let journalIsUnavailable: @Sendable () -> Void
    /// Called when another process continues the sessions.
    let leave: @Sendable () -> Void
}
