import Locking
import Synchronization

extension JournalWriter {
    /// The changes of one loop that are not being stored yet.
    final class OpenBatch: Sendable {
        struct State {
            var batch = JournalBatch()
            /// The number of changes that were ever added.
            var sequence: UInt64 = 0
        }

        let listener: JournalListener
        // Locked rather than confined to the loop, because the writer takes the batches of all loops at one moment.
        let state = Lock(State())
        /// The sequence that was last reported to the loop. Used on the writer's thread only.
        let reported = Atomic<UInt64>(0)

        init(_ listener: JournalListener) {
            self.listener = listener
        }

        /// Adds a change.
        ///
        /// - Returns: The number of changes that the loop has added so far, including this one.
        func add(_ add: (inout JournalBatch) -> Void) -> UInt64 {
            state.withLock { state in
                add(&state.batch)
                assert(!state.batch.isEmpty, "expected a change to be added, got none")
                state.sequence += 1
                return state.sequence
            }
        }
    }
}
