/// Why the turns of stored sessions wait, and the work of machines that waits meanwhile. Confined to its loop.
struct TurnPause {
    /// Why turns wait.
    struct Reason: OptionSet {
        let rawValue: UInt8

        /// Too much waits for the journal.
        static let backlog = Reason(rawValue: 1)
        /// The process passes its sessions to another one, or has done so.
        static let suspension = Reason(rawValue: 2)
        /// What has waited is being done, in order.
        static let release = Reason(rawValue: 4)
    }

    /// What waits.
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
    /// Whether turns wait only because what has waited is being done.
    var isRelease: Bool { reasons == .release }
    /// Whether the sessions are with another process, or on the way to it.
    var isSuspended: Bool { reasons.contains(.suspension) }
    /// Whether too much waits for the journal.
    var isBacklog: Bool { reasons.contains(.backlog) }
    /// Whether work waits.
    var hasWork: Bool { !work.schedulers.isEmpty || !work.effects.isEmpty }

    mutating func begin(_ reason: Reason) { reasons.insert(reason) }

    mutating func end(_ reason: Reason) { reasons.remove(reason) }

    /// Has the ready work of a session wait.
    mutating func hold(_ scheduler: SessionScheduler) {
        assert(isActive, "expected a reason for which turns wait")
        work.schedulers.append(scheduler)
    }

    /// Has the effects of a session's stored turns wait.
    mutating func hold(effectsOf session: Session, upTo sequence: UInt64) {
        assert(isSuspended, "expected sessions that another process may continue")
        work.effects.append((session, sequence))
    }

    /// Removes and returns what waits.
    mutating func takeWork() -> Work {
        defer { work = Work() }
        return work
    }
}
