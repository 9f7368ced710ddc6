import HTTPModel

// The deadlines of sessions, which one timer of the loop checks each second.
extension SessionShard {
    /// Schedules the next check of a session's deadlines, if none is scheduled early enough.
    func scheduleCheck(of session: Session) {
        startSweeping()
        sessions.schedule(session, deadline: session.nextDeadline(times))
    }

    /// Starts the sweep of each second, unless it is running.
    func startSweeping() {
        loop.assertCurrent()
        guard !isSweeping else { return }
        isSweeping = true
        sessions.skip(to: tick)
        hibernation.buckets.skip(to: tick)
        combined.buckets.skip(to: tick)
        armSweep()
    }

    private func armSweep() {
        _ = loop.schedule(after: clock.nextTick - loop.now) { [backReference] in backReference.shard?.sweep() }
    }

    private func sweep() {
        loop.assertCurrent()
        assert(isSweeping, "expected one sweep each second")
        // Ending a session is a change that the other process would not know.
        guard !isSuspended else { return armSweep() }
        let now = tick
        creations.expire(now: loop.now)
        var drowsy: [SessionID] = []
        while let due = sessions.takeDue(before: now) {
            for id in due {
                guard let session = sessions.due(id) else { continue }
                if session.performDue(now: now, times) {
                    end(session, .expired)
                } else if session.sleepsAt(after: times.hibernateAfter) <= now {
                    drowsy.append(id)
                } else {
                    sessions.schedule(session, deadline: session.nextDeadline(times))
                }
            }
        }
        letSleep(drowsy[...])
        sleepEarly(now)
        checkDormant(now)
        checkCombined(now)
        // Without sessions there is no timer: an idle loop sleeps.
        isSweeping = sessions.hasDeadlines || hibernation.buckets.count + combined.buckets.count > 0
        if isSweeping { armSweep() }
    }
}
