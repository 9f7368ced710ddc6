import Foundation
import Locking

/// Wakes run loops that sleep, which a block that is given to one does not do.
///
/// A timer that is made to fire wakes its run loop. There is one for each run loop that was ever scheduled on, and not
/// one for each action, since on Linux a timer is never let go of again.
enum RunLoopWaker {
    // On Linux a run loop may be given timers, and a timer another date, from any thread: both are the locked objects of
    // Core Foundation.
    private struct Entry {
        /// Kept, so that no other run loop comes to lie at its address.
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

    /// A timer that does not fire by itself for the next thirty years.
    private static func idleTimer() -> Timer {
        Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
    }
}
