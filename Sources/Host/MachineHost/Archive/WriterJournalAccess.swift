import Dispatch
import Locking

/// The journal of a running server. Waits for the writer's thread, so it must not be used on a loop or on that thread.
package struct WriterJournalAccess: JournalAccess {
    private let writer: JournalWriter

    package init(_ writer: JournalWriter) {
        self.writer = writer
    }

    /// Returns the result of a closure that uses the journal on the writer's thread.
    ///
    /// - Throws: The error of the closure, or `JournalError(.closed)` while the journal is not open.
    package func use<Result>(_ body: @escaping (any Journal) throws -> Result) throws -> Result {
        try onWriter { _, journal in try body(journal) }
    }

    /// Stores the changes that a closure returns, as one step with what the closure reads.
    ///
    /// - Throws: As ``use(_:)``, or `JournalError(.full)` if the disk has no room for them besides its reserve.
    package func commit(_ changes: @escaping (any Journal) throws -> [JournalBatch.Change]) throws {
        try onWriter { writer, journal in
            var batch = JournalBatch()
            for change in try changes(journal) { batch.add(change) }
            try writer.storeForOperator(batch, in: journal)
        }
    }

    /// Notifies the session's loop, which then forgets that the session has ended. Call when the session is stored.
    package func sessionReturned(_ id: StoredSessionID) { writer.listener(of: id)?.forgetEnd(id) }

    private func onWriter<Result>(_ body: @escaping (JournalWriter, any Journal) throws -> Result) throws -> Result {
        let box = UnsafeTransfer(Box<Result>())
        let work = UnsafeTransfer(body)
        let done = DispatchSemaphore(value: 0)
        writer.withJournal { [writer] journal in
            box.value.result = Swift.Result {
                guard let journal else {
                    throw JournalError(.closed, "expected an open journal, but the server is starting or ending")
                }
                return try work.value(writer, journal)
            }
            done.signal()
        }
        done.wait()
        guard let result = box.value.result else { throw JournalError(.closed, "expected a result, got none") }
        return try result.get()
    }

    /// Ends a session, in memory or stored, and waits until that is stored.
    package func end(_ session: SessionSummary) throws -> Bool {
        let box = UnsafeTransfer(Box<Bool>())
        let done = DispatchSemaphore(value: 0)
        writer.end(session) { hasEnded in
            box.value.result = .success(hasEnded)
            done.signal()
        }
        // A loop that stops in the meantime never answers.
        guard done.wait(timeout: .now() + .seconds(10)) == .success, try box.value.result?.get() == true else {
            return false
        }
        try use { _ in }
        return true
    }

    private final class Box<Value> {
        var result: Result<Value, any Error>?
    }
}
