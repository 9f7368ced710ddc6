import Foundation
import Locking

/// A mechanism that wakes sleeping run loops, which adding a block does not do.
// Firing a timer wakes its run loop. There is one timer for each run loop that was ever used as a scheduler, not one
// for each action, because on Linux Foundation never releases a timer.
enum RunLoopWaker {
    // On Linux, any thread may add timers to a run loop and change the date of a timer: Core Foundation locks both
    // objects.
    private struct Entry {
        // Retained, so that no other run loop is ever allocated at the same address, which is the key of `entries`.
        let runLoop: RunLoop
        let timer: Timer
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    static func wake(_ runLoop: RunLoop) {
        let entry = entries.withLock { entries in
            let known = entries[ObjectIdentifier(runLoop)]
            let entry = known ?? Entry(runLoop: runLoop, timer: idleTimer())
            if known == nil {
                runLoop.add(entry.timer, forMode: .default)
                entries[ObjectIdentifier(runLoop)] = entry
            }
            return entry
        }
        entry.timer.fireDate = .distantPast
    }

    /// Returns a timer that does not fire by itself for the next thirty years.
    private static func idleTimer() -> Timer {
        Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
    }
}
