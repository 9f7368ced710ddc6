import StateCapture

// After a restore.
extension SessionEffects {
    /// Keeps the stored effects for the subscriptions of the machine that is about to be wired.
    func restore(_ stored: [OpenEffect]) {
        assertOnLoop()
        assert(count == 0 && lastID == 0, "expected stored effects before the first one, got \(lastID) effects")
        unclaimed = stored
        lastID = stored.lazy.map(\.id).max() ?? 0
    }

    /// Continues the stored effects. Called in a turn, after the machine was wired.
    ///
    /// - Returns: The effects and timers that do not continue.
    func resume() -> [InterruptedWork] {
        assert(session?.isInTurn ?? true, "expected to be called in a turn")
        assertOnLoop()
        // What is adopted is subscribed to, and so removed from the list.
        for stored in unclaimed { (adopters[stored.name] ?? nil)?(stored) }
        var interrupted: [InterruptedWork] = []
        for stored in unclaimed {
            note(.ended(id: stored.id, .interrupted))
            interrupted.append(InterruptedWork(name: stored.name))
        }
        unclaimed = []
        // Timers that became due meanwhile fire in the order of their times.
        let resumed = claimed.sorted { ($0.due ?? .zero, $0.id) < ($1.due ?? .zero, $1.id) }
        claimed = []
        for effect in resumed where isOpen(effect) && effect.resume() {
            interrupted.append(InterruptedWork(name: effect.name))
        }
        assert(unclaimed.isEmpty && claimed.isEmpty, "expected each stored effect to continue or to be interrupted")
        return interrupted
    }
}

// In a replay.
extension SessionEffects {
    /// Continues the stored effects of a session that was never interrupted. Called in a turn, after the machine was wired.
    func continueRecorded() {
        assert(session?.isInTurn ?? true, "expected to be called in a turn")
        assertOnLoop()
        for stored in unclaimed { (adopters[stored.name] ?? nil)?(stored) }
        unclaimed = []
        let timers = claimed.filter { $0.due != nil }.sorted { ($0.due ?? .zero, $0.id) < ($1.due ?? .zero, $1.id) }
        claimed = []
        for timer in timers { timer.start() }
        assert(unclaimed.isEmpty && claimed.isEmpty, "expected to continue each stored effect")
    }
}
