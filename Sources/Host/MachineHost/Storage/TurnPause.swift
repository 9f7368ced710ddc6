/// The reasons for which the turns of stored sessions wait, and the work of machines that waits meanwhile. Confined to its loop.
struct TurnPause {
    /// The reasons for which turns wait.
    struct Reason: OptionSet {
        let rawValue: UInt8

        /// Too much waits for the journal.
        static let backlog = Reason(rawValue: 1)
        /// The process passes its sessions to another one, or has done so.
        static let suspension = Reason(rawValue: 2)
        /// The work that has waited is being done, in order.
        static let release = Reason(rawValue: 4)
    }

    /// The work that waits.
    struct Work {
        /// The schedulers of sessions with work that is ready.
        fileprivate(set) var schedulers: [SessionScheduler] = []
        /// The effects whose turns were stored.
        fileprivate(set) var effects: [(session: Session, sequence: UInt64)] = []
    }

    private var reasons: Reason = []
    private var work = Work()

    /// Whether turns wait.
    var isActive: Bool { !reasons.isEmpty }
    /// Whether turns wait only because the work that has waited is being done.
    var isRelease: Bool { reasons == .release }
    /// Whether the sessions are with another process, or are being passed to it.
    var isSuspended: Bool { reasons.contains(.suspension) }
    /// Whether too much waits for the journal.
    var isBacklog: Bool { reasons.contains(.backlog) }
    /// Whether work waits.
    var hasWork: Bool { !work.schedulers.isEmpty || !work.effects.isEmpty }

    mutating func begin(_ reason: Reason) { reasons.insert(reason) }

    mutating func end(_ reason: Reason) { reasons.remove(reason) }

    /// Queues the ready work of a session until turns run again.
    mutating func hold(_ scheduler: SessionScheduler) {
        assert(isActive, "expected a reason for which turns wait")
        work.schedulers.append(scheduler)
    }

    /// Queues the effects of a session's stored turns until this process continues the sessions.
    mutating func hold(effectsOf session: Session, upTo sequence: UInt64) {
        assert(isSuspended, "expected sessions that another process may continue")
        work.effects.append((session, sequence))
    }

    /// Removes and returns the work that waits.
    mutating func takeWork() -> Work {
        defer { work = Work() }
        return work
    }
}
