import HTTPModel
import Locking
import MachineHost

/// A journal's content that outlives the virtual processes of a test.
final class VirtualStorage: Sendable {
    private let content = Lock(JournalContent())

    /// Returns the content as the next process opens it.
    func open() -> VirtualJournal {
        content.withLock { $0.recover() }
        return VirtualJournal(self)
    }

    fileprivate func use<Result>(_ body: (inout JournalContent) throws -> Result) rethrows -> Result {
        try content.withLock { try body(&$0) }
    }
}

/// A journal in a ``VirtualStorage``, until its process ends.
final class VirtualJournal: Journal {
    private let storage: VirtualStorage
    private var hasEnded = false

    fileprivate init(_ storage: VirtualStorage) {
        self.storage = storage
    }

    let guarantee = Durability.disk

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws { try use { $0.apply(batch) } }
    func load(_ session: StoredSessionID) throws -> JournalEntry? { try use { $0.load(session) } }
    func summary(of session: StoredSessionID) throws -> SessionSummary? { try use { $0.summary(of: session) } }
    func lastNumber() throws -> UInt64 { try use { $0.lastNumber } }
    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try use { $0.sessions(after: id, limit: limit) }
    }
    func session(named name: SessionName, of machine: String) throws -> StoredSessionID? {
        try use { $0.session(named: name, of: machine) }
    }
    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try use { $0.sessions(dueAt: time, limit: limit) }
    }
    func nextDueTime() throws -> Int64? { try use { $0.nextDueTime() } }
    func note(_ key: JournalNoteKey) throws -> JournalNote? { try use { $0.note(key) } }
    func property(_ name: String) throws -> [UInt8]? { try use { $0.property(name) } }
    func close() { hasEnded = true }

    private func use<Result>(_ body: (inout JournalContent) throws -> Result) throws -> Result {
        // The process is over, but its closures still exist.
        guard !hasEnded else { throw JournalError(.closed, "the process has ended") }
        return try storage.use(body)
    }
}

/// The loop as the thread of a journal's writer.
struct VirtualExecutor: JournalExecutor {
    let loop: VirtualEventLoop

    func execute(_ work: @escaping @Sendable () -> Void) {
        loop.execute(work)
    }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        _ = loop.schedule(after: delay, work)
    }
}
