import Locking

@testable import MachineHost

/// A process with one loop, whose journal's writer works when the test says so.
final class WriterProcess {
    /// The numbers of changes that were reported as stored.
    let stored: Lock<[UInt64]>
    let failures: Lock<[String]>
    private let executor = QueuedExecutor()
    private let writer: JournalWriter
    private let batch: JournalWriter.OpenBatch

    /// Opens the journal of a process.
    init(_ open: @escaping @Sendable () throws -> any Journal) {
        let (stored, failures) = (Lock<[UInt64]>([]), Lock<[String]>([]))
        (self.stored, self.failures) = (stored, failures)
        writer = JournalWriter(executor: executor) { error in failures.withLock { $0.append("\(error)") } }
        batch = writer.addLoop(
            JournalListener(
                loop: 0, loopCount: 1, journalWasOpened: {},
                changesWereStored: { sequence in stored.withLock { $0.append(sequence) } },
                sessionsAreDue: { _ in }, snapshotWasRenewed: { _, _ in }, endSession: { _, ended in ended(false) },
                countEffects: { $0(0) },
                suspend: { $0() }, resume: {}, leave: {}))
        writer.open(open) { error in
            if let error { failures.withLock { $0.append("\(error)") } }
        }
        executor.run()
    }

    /// Adds a change and has it stored.
    func change(_ change: (inout JournalBatch) -> Void) {
        _ = batch.add(change)
        writer.requestCommit()
        executor.run()
    }

    /// Appends a row to a session and has it stored.
    func append(_ session: StoredSessionID, row: UInt64) {
        change { batch in
            batch.append(session: session, number: row, previous: row - 1, wakesAt: nil) { $0.append(1) }
        }
    }

    /// Lets the time pass until everything that is scheduled is due.
    func wait() { executor.runDelayed() }
}

/// A writer's thread, whose work the test runs on its own thread.
private final class QueuedExecutor: JournalExecutor {
    private let work = Lock<[@Sendable () -> Void]>([])
    private let delayed = Lock<[@Sendable () -> Void]>([])

    func execute(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
    }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        delayed.withLock { $0.append(work) }
    }

    func run() {
        while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
    }

    func runDelayed() {
        let due = delayed.withLock { delayed in
            defer { delayed = [] }
            return delayed
        }
        for work in due {
            work()
            run()
        }
    }
}
