import CLinux
import Dispatch
import Synchronization

// A loop that is run by hand, with a clock of its own: the same rounds, whenever and on whatever thread they are asked for.
extension EpollEventLoop {
    /// Takes a loop that is new, and has nothing to do yet, off its queue. Its rounds are run by
    /// ``runRoundManually()`` only from now on.
    func takeManualControl(_ clock: ManualClock) {
        source.suspend()
        manualClock = clock
        // It is never woken, as if it always were in a round.
        activity.store(Activity.running, ordering: .relaxed)
        _ = runRoundManually()
    }

    /// Runs one round; answers whether something happened or is left to be done.
    func runRoundManually() -> Bool {
        guard !source.isCancelled else { return false }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        defer { runningThread.store(0, ordering: .relaxed) }
        let (first, neededRound) = (timers.first, needsRound)
        let isIdle = round(waiting: 0)
        if isStopped {
            source.cancel()
            // The queue does what is left to do.
            source.resume()
            return true
        }
        return !isIdle || neededRound || needsRound || first <= nanoseconds
    }

    /// When a deadline or work that was scheduled may be due next; `UInt64.max` for never.
    var nextTime: UInt64 { timers.first }
}
