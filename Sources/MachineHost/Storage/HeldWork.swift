/// Why the turns of stored sessions wait.
struct TurnHold: OptionSet {
    let rawValue: UInt8

    /// Too much waits for the journal.
    static let backlog = TurnHold(rawValue: 1)
    /// The process passes its sessions to another one, or has done so.
    static let suspension = TurnHold(rawValue: 2)
    /// What has waited is being done, in order.
    static let release = TurnHold(rawValue: 4)
}

/// The work of machines that waits until turns may run. Confined to its loop.
struct HeldWork {
    /// The schedulers of sessions with work that is ready.
    var schedulers: [SessionScheduler] = []
    /// The effects whose turns were stored.
    var effects: [(session: Session, sequence: UInt64)] = []

    /// Whether nothing waits.
    var isEmpty: Bool { schedulers.isEmpty && effects.isEmpty }
}
