import Locking
import MachineHost

/// The thread of a journal's writer, whose work the test runs on its own thread.
final class QueuedExecutor: JournalExecutor {
    private let work = Lock<[@Sendable () -> Void]>([])

    func execute(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
    }

    /// Drops the work: no test waits for it.
    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {}

    /// Runs all work that is pending. Returns the number of tasks.
    @discardableResult
    func run() -> Int {
        let pending = work.withLock { work in
            defer { work = [] }
            return work
        }
        for work in pending { work() }
        return pending.count
    }
}
