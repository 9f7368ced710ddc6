import Locking
import MachineHost
import MachineTesting

/// The thread of a journal's writer, which runs when the test calls it.
final class ManualExecutor: JournalExecutor {
    private let loop: VirtualEventLoop
    private let work = Lock<[@Sendable () -> Void]>([])

    /// Creates an executor whose delays pass on a loop.
    init(_ loop: VirtualEventLoop) {
        self.loop = loop
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
    }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        _ = loop.schedule(after: delay) { [weak self] in self?.execute(work) }
    }

    /// Runs the next piece of work. Returns whether there was one.
    func runNext() -> Bool {
        let next = work.withLock { work in work.isEmpty ? nil : work.removeFirst() }
        next?()
        return next != nil
    }

    /// Runs the work that is pending now, but not what it adds. Returns whether there was any.
    func runPending() -> Bool {
        let pending = work.withLock { work in
            defer { work = [] }
            return work
        }
        for work in pending { work() }
        return !pending.isEmpty
    }
}
