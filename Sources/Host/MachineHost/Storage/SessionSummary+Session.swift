import HTTPModel

extension SessionSummary {
    /// Describes a session in memory.
    ///
    /// - Parameter hasEnded: Whether only its end is stored from now on.
    init(of session: Session, hasEnded: Bool = false) {
        let (clock, host) = (session.clock, session.host)
        let now = clock.storedMilliseconds
        let isInUse = hasEnded || !session.streams.isEmpty
        let usedAt = isInUse ? now : now - Int64(clock.tick - session.lastActivity) * 1000
        let lifetime = hasEnded ? host.configuration.endedWindow : host.configuration.idleExpiry
        self.init(
            id: session.storedID, machine: session.machineKind.definition.name, version: session.version,
            createdAt: session.created.seconds * 1000, usedAt: usedAt, expiresAt: usedAt + lifetime.wholeMilliseconds,
            wakesAt: hasEnded ? nil : session.wakesAt, hasEnded: hasEnded,
            owner: session.owner.map { SessionOwner($0) }, name: session.context.creation?.name)
    }
}

extension Session {
    /// The stored time at which the session must be woken, in milliseconds; nil if it need not be woken.
    var wakesAt: Int64? {
        let effects = context.declaredEffects?.wakesAt
        guard let due = context.scheduler.nextDue else { return effects }
        return min(due.wholeNanoseconds.addingClamped(clock.offset) / 1_000_000, effects ?? .max)
    }
}
