import CLinux
import Dispatch
import Synchronization

// A loop that is run manually, with its own clock: the rounds are the same, but they run when the caller requests them,
// on the caller's thread.
extension EpollEventLoop {
    /// Removes a new loop without work from its queue. From then on only ``runRoundManually()`` runs its rounds.
    func takeManualControl(_ clock: ManualClock) {
        source.suspend()
        manualClock = clock
        // The loop counts as being in a round, so no caller tries to wake it.
        activity.store(.running, ordering: .relaxed)
        _ = runRoundManually()
    }

    /// Runs one round; returns whether something happened or is left to do.
    func runRoundManually() -> Bool {
        guard !source.isCancelled else { return false }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        defer { runningThread.store(0, ordering: .relaxed) }
        let (first, neededRound) = (timers.first, needsRound)
        let isIdle = round(waiting: 0)
        if isStopped {
            source.cancel()
            // The cancel handler runs on the queue, which delivers nothing while the source is suspended.
            source.resume()
            return true
        }
        return !isIdle || neededRound || needsRound || first <= nanoseconds
    }

    /// The time at which the next entry may be due; `UInt64.max` if none exists.
    var nextTime: UInt64 { timers.first }
}
