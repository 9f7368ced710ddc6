import HTTPModel

// The deadlines of sessions, which one timer of the loop checks each second.
extension SessionShard {
    /// Schedules the next check of a session's deadlines, if none is scheduled early enough.
    func scheduleCheck(of session: Session) {
        let deadline = session.nextDeadline(times)
        startSweeping()
        // A check that runs too early reinserts the session with its current deadline. So a request that moves a
        // deadline later costs nothing here.
        guard session.nextCheck <= buckets.now || deadline < session.nextCheck else { return }
        session.nextCheck = buckets.insert(session.id, deadline: deadline)
    }

    /// Starts the sweep of each second, unless it is running.
    func startSweeping() {
        guard !isSweeping else { return }
        isSweeping = true
        buckets.skip(to: tick)
        hibernation.buckets.skip(to: tick)
        combined.buckets.skip(to: tick)
        armSweep()
    }

    private func armSweep() {
        let next = beginning + .seconds(Int64(tick) + 1)
        _ = loop.schedule(after: next - loop.now) { [backReference] in backReference.shard?.sweep() }
    }

    private func sweep() {
        // Ending a session is a change that the other process would not know.
        guard !isSuspended else { return armSweep() }
        let now = tick
        if let creations {
            creations.expire(now: now)
            chargeCreations()
        }
        while buckets.count > 0, buckets.now < now {
            for id in buckets.advance() {
                // A session that was inserted again with an earlier deadline is in two buckets: only the bucket that
                // `nextCheck` names counts.
                guard let session = sessions[id], session.nextCheck == buckets.now else { continue }
                if session.performDue(now: now, times) {
                    end(session, .expired)
                } else if !sleepIfDue(session, now) {
                    session.nextCheck = buckets.insert(id, deadline: session.nextDeadline(times))
                }
            }
        }
        storeSleepers()
        sleepEarly(now)
        checkDormant(now)
        checkCombined(now)
        // Without sessions there is no timer: an idle loop sleeps.
        let waiting = buckets.count + hibernation.buckets.count + combined.buckets.count
        if waiting > 0 { armSweep() } else { isSweeping = false }
    }
}
