import CLinux
import Synchronization

// A loop that is run by hand, with a clock of its own: the same rounds, whenever and on whatever thread they are asked for.
extension EpollEventLoop {
    /// Runs one round; answers whether something happened or is left to be done.
    func runRoundByHand() -> Bool {
        guard !hasEndedByHand else { return false }
        runningThread.store(granary_current_thread(), ordering: .relaxed)
        defer { runningThread.store(0, ordering: .relaxed) }
        let before = timers.first
        let isIdle = round(waiting: 0)
        if let end = handStopped {
            handStopped = nil
            hasEndedByHand = true
            end()
            return true
        }
        return !isIdle || !marked.isEmpty || before <= nanoseconds
    }

    /// When a deadline or work that was scheduled may be due next; `UInt64.max` for never.
    var nextTime: UInt64 { timers.first }
}
