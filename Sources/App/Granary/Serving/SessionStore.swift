import CLinux
import Dispatch
import Glibc
import Locking
import Log
import MachineHost
import ProcessLifecycle
import SQLiteJournal

/// The stored sessions of a server process.
struct SessionStore: Sendable {
    let directory: String
    /// The writer, which has no journal until ``open()`` or ``openWhenFree(within:)``.
    let writer: JournalWriter
    private let log: Log
    private let control: ControlServer
    private let movesAside: Bool
    /// The journal, if it is not in the directory.
    private let remote: RemoteJournal?
    /// The lock of the directory while a remote journal is open.
    private let remoteLock = Lock(UnsafeTransfer<JournalLock?>(nil))
    /// The journal between ``restoreKeys(isReplacing:)`` and its use by the writer.
    private let openedJournal = Lock(UnsafeTransfer<SQLiteJournal?>(nil))
    /// The lock of the directory while the journal is released.
    private let keptLock = Lock(UnsafeTransfer<JournalLock?>(nil))

    /// Creates the store of a server. Opens nothing.
    ///
    /// - Parameters:
    ///   - configuration: What the sessions survive by default, and the treatment of the disk.
    ///   - requested: The most that a machine requests; nil if none requests anything.
    init(directory: String, _ configuration: Configuration.Storage, requested: Durability? = nil, log: Log) {
        self.directory = directory
        self.log = log
        movesAside = configuration.movesAside
        writer = JournalWriter(
            durability: max(configuration.durability, requested ?? .memory), byDefault: configuration.durability,
            executor: DispatchJournalExecutor(), reserve: Int64(configuration.diskReserve)
        ) { error in
            log(.error, "sessions cannot be stored; the process ends", ["reason": .text("\(error)")])
            log.flush(within: ProgramOutput.serverLimit)
            // Nothing else: clients must not receive what is not stored, and the stored sessions are complete.
            SessionStore.end()
        } onTrap: { report in
            log(
                .error, "a session ended the process before this one",
                [
                    "incident": .text(report.incident), "machine": .text(report.machine),
                    "quarantined": .text(report.isQuarantined ? "yes" : "no"),
                ])
        } returnMemory: {
            granary_release_free_pages()
        }
        control = ControlServer(writer, in: directory, log: log)
        remote =
            configuration.journal.directory == nil
            ? RemoteJournal(configuration.journal, timeout: configuration.journalTimeout, for: writer, log: log) : nil
    }

    /// The status with which a process ends that cannot store its sessions (EX_IOERR in `sysexits.h`).
    private static func end() -> Never { ProcessExit.exitImmediately(74) }

    /// Creates the files of the keys that the journal contains if it is a restored backup. Call before the keys are read. The journal
    /// stays open for ``open()``, so that no other process uses it meanwhile.
    ///
    /// - Parameter isReplacing: Whether this process replaces a server, which may have the journal. Then that server has done this.
    /// - Throws: The error of the journal, or `OperatorError` if the files do not fit.
    func restoreKeys(isReplacing: Bool) throws {
        // A new journal has no keys. It is not created before everything else is known to be correct.
        guard remote == nil, access("\(directory)/journal.sqlite", F_OK) == 0 else { return }
        if isReplacing, ControlConnection(directory: directory) != nil { return }
        do {
            let journal = try openSQLite(with: nil)
            try CopiedKey.restore(from: journal, to: directory, log: log)
            let opened = UnsafeTransfer(Optional(journal))
            openedJournal.withLock { $0 = opened }
        } catch let error as JournalError where error.kind == .held && isReplacing {
            return
        }
    }

    /// Opens the journal.
    ///
    /// - Throws: The error of the journal, such as the name of the process that holds it.
    func open() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writer.open(slots: openSlots, openJournal) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Makes the open journal available to commands, and logs what it contains.
    func begin() {
        control.start()
        logStatistics()
    }

    /// Compares the machines of a new server with the sessions of the server that it replaces, which still has the journal.
    ///
    /// - Throws: `StateShapeError`, so that the old server continues.
    func checkShapes(of host: SessionHost) throws {
        try host.checkShapes { property in
            // An older server may not have the socket, or know the request. Then opening the journal finds out.
            guard let connection = ControlConnection(directory: directory),
                connection.write(ControlMessage.request(ArchiveRequest.shapes(property).words)),
                let result = ControlMessage.result(of: connection.readAll()), result.status == 0
            else { return nil }
            return SessionArchive.property(of: result.output)
        }
    }

    /// Logs the sizes and ages of what is stored.
    private func logStatistics() {
        writer.withJournal { [directory, log, writer] journal in
            // A journal that cannot count what it contains fails at the next commit, if it is damaged.
            guard let journal = journal as? any FileJournal, let statistics = try? journal.statistics(),
                let free = try? journal.freeBytes()
            else { return }
            let oldest = statistics.oldestUse.map { writer.wallTime(of: $0).text } ?? "none"
            log(
                .info, "sessions opened",
                [
                    "directory": .text(directory), "sessions": .number(statistics.sessions),
                    "rows": .number(statistics.rows), "bytes": .number(Int(clamping: statistics.bytes)),
                    "free": .number(Int(clamping: free)), "oldest-use": .text(oldest),
                ])
        }
    }

    /// Opens the journal when the server before this one has released it. Requests for sessions wait until then.
    func openWhenFree(within patience: Duration) {
        writer.open(patience: patience, slots: openSlots, openJournal, opened: endUnlessOpened)
    }

    /// Opens the journal that the server before this one has released. The process ends if it cannot be opened, so that the other
    /// server continues. Blocks until then.
    ///
    /// - Parameters:
    ///   - lock: The descriptor of the lock that the other server holds, which then belongs to this process; nil if it has none.
    ///   - confirm: Called when the journal is open: waits until the other server has given the sessions up.
    func openReceived(lock: Int32?, confirm: @escaping @Sendable () -> Void) {
        let isOpen = DispatchSemaphore(value: 0)
        writer.open(slots: openSlots, confirm: confirm) { [self] in
            // A server with another directory has passed another lock.
            let received = lock.flatMap { try? JournalLock(adopting: $0, directory: directory) }
            if received == nil, let lock { Glibc.close(lock) }
            return try openJournal(with: received)
        } opened: { [self] error in
            endUnlessOpened(error)
            isOpen.signal()
        }
        isOpen.wait()
    }

    private func endUnlessOpened(_ error: (any Error)?) {
        guard let error else { return begin() }
        log(.error, "the stored sessions cannot be opened; the process ends", ["reason": .text("\(error)")])
        log.flush(within: ProgramOutput.serverLimit)
        SessionStore.end()
    }

    /// Stops turns, stores everything, and closes the journal, whose lock this process keeps.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for effects in flight.
    ///   - turnPatience: How long to wait for turns in progress.
    ///   - isCancelled: Returns whether to stop waiting and to keep the journal.
    ///   - willSuspend: Called before turns stop.
    ///   - released: Receives whether the journal is closed. It is not if this was cancelled, or if turns have not ended in time.
    func release(
        within patience: Duration, turnsWithin turnPatience: Duration, isCancelled: @escaping @Sendable () -> Bool,
        willSuspend: @escaping @Sendable () -> Void, released: @escaping @Sendable (Bool) -> Void
    ) {
        writer.awaitEffects(within: patience, isCancelled: isCancelled) { [self] in
            guard !isCancelled() else { return released(false) }
            willSuspend()
            control.stop()
            writer.suspend(within: turnPatience, isCancelled: isCancelled) { [self] journal in
                let lock = UnsafeTransfer((journal as? SQLiteJournal)?.lock ?? takeRemoteLock())
                keptLock.withLock { $0 = lock }
                do {
                    try journal?.close()
                } catch {
                    // What was acknowledged is stored. A process that opens the journal recovers it.
                    log(.error, "the sessions could not be closed", ["reason": .text("\(error)")])
                }
                released(true)
            } abandoned: { [self] in
                begin()
                released(false)
            }
        }
    }

    /// The descriptor of the lock while the journal is released; nil if none exists.
    var lock: Int32? { keptLock.withLock { $0.value?.descriptor } }

    /// Continues with the journal, because no other process does. Does nothing if it was not released.
    func takeBack() {
        let kept = takeLock()
        guard kept.value != nil else { return }
        writer.resume {
            try openJournal(with: kept.value)
        } resumed: { error in
            endUnlessOpened(error)
        }
    }

    /// Returns the lock of the released journal, and forgets it.
    private func takeLock() -> UnsafeTransfer<JournalLock?> {
        keptLock.withLock { lock in
            let kept = lock
            lock = UnsafeTransfer(nil)
            return kept
        }
    }

    /// Leaves the sessions to the process that continues them.
    ///
    /// - Parameter successor: Sends it the requests that arrive here; nil if they are refused.
    func leave(to successor: SuccessorClient?) {
        if let successor {
            writer.leave { request, received in successor.send(request, received) }
        } else {
            writer.leave()
        }
        keptLock.withLock { $0 = UnsafeTransfer(nil) }
    }

    private var openJournal: @Sendable () throws -> any Journal {
        { try openJournal(with: nil) }
    }

    /// - Parameter lock: The lock of the directory, which this process holds; nil to lock it.
    private func openJournal(with lock: JournalLock?) throws -> any Journal {
        let opened = openedJournal.withLock { journal in
            defer { journal = UnsafeTransfer(nil) }
            return journal
        }
        if let remote { return try open(remote, with: lock) }
        return try opened.value ?? openSQLite(with: lock)
    }

    /// Opens a journal elsewhere, and locks the directory, which has the keys and the turns in progress.
    private func open(_ remote: RemoteJournal, with lock: JournalLock?) throws -> any Journal {
        let lock = try lock ?? JournalLock(directory: directory)
        try lock.recordHolder()
        let journal = try remote.open(for: writer.durability)
        let held = UnsafeTransfer(Optional(lock))
        remoteLock.withLock { $0 = held }
        return journal
    }

    private func takeRemoteLock() -> JournalLock? {
        remoteLock.withLock { lock in
            defer { lock = UnsafeTransfer(nil) }
            return lock
        }.value
    }

    private func openSQLite(with lock: JournalLock?) throws -> SQLiteJournal {
        do {
            let lock = try lock ?? JournalLock(directory: directory)
            let journal = try SQLiteJournal(directory: directory, lock: lock, moveAside: movesAside)
            CheckCopy.removeLeftovers(in: directory)
            report(journal)
            return journal
        } catch let error as JournalError where error.kind == .damaged && !movesAside {
            let advice =
                "restore a backup, or set sessions.moveAside once to begin without these sessions and keep the file"
            throw JournalError(error.kind, "\(error.detail); \(advice)")
        }
    }

    /// Logs what was not as expected when a journal was opened.
    private func report(_ journal: SQLiteJournal) {
        if let path = journal.movedAside {
            log(.error, "damaged sessions were moved aside; the server begins without any", ["path": .text(path)])
        }
        guard let loss = journal.loss else { return }
        log(.warning, SessionStore.text(of: loss), ["directory": .text(directory)])
    }

    private static func text(of loss: SQLiteJournal.Loss) -> String {
        switch loss {
        case .database: "the state directory was used before, but has no database; the server begins without sessions"
        case .log:
            "the log of the database is missing; unless sqlite3 removed it, the newest turns are lost, and all sessions get new epochs"
        case .commits:
            "the log of the database was cut or damaged, or is an older one; the newest turns are lost, and all sessions get new epochs"
        case .row:
            "a turn in the database is damaged, and its session is not known; it is lost, and all sessions get new epochs"
        case .copy: "the state directory is a copy, or was restored from one; all sessions get new epochs"
        }
    }

    private var openSlots: @Sendable () throws -> TurnSlots? {
        { [directory, log] in
            let slots = try TurnSlotFile.open(in: directory)
            if slots == nil {
                log(
                    .warning, "turns in progress are not noted: the disk is full",
                    ["file": .text("\(directory)/turns")])
            }
            return slots
        }
    }

    /// Stores what has been added and releases the journal. Sessions take no more turns.
    func close() async {
        control.stop()
        remote?.abandonLater()
        await withCheckedContinuation { continuation in writer.close { continuation.resume() } }
    }
}

extension SessionStore {
    /// Creates the store of a program's server. Returns nil if its sessions are not stored.
    ///
    /// - Parameters:
    ///   - configuration: What the sessions survive by default, and where they are stored.
    ///   - machines: The machines, which may request more.
    ///   - program: The name of the program.
    ///   - environment: The environment variables.
    /// - Throws: If there is no directory, or the journal cannot be the configured one.
    init?(
        _ configuration: Configuration.Storage, for machines: [MachineDefinition], program: String,
        environment: [String: String], log: Log
    ) throws {
        let directory = try SessionStore.directory(
            configuration, for: machines, program: program, environment: environment)
        guard let directory else { return nil }
        if let problem = configuration.journalProblem(for: machines) { throw OperatorError(problem) }
        self.init(directory: directory, configuration, requested: machines.compactMap(\.durability).max(), log: log)
    }

    /// Returns the directory in which a program's server stores sessions; nil if it stores none. Creates nothing.
    ///
    /// - Parameters:
    ///   - configuration: What the sessions survive by default, and where they are stored.
    ///   - machines: The machines, which may request more.
    ///   - program: The name of the program.
    ///   - environment: The environment variables.
    /// - Throws: If there is no directory.
    static func directory(
        _ configuration: Configuration.Storage, for machines: [MachineDefinition], program: String,
        environment: [String: String]
    ) throws(StateDirectoryError) -> String? {
        let requesting = machines.filter { $0.durability ?? .memory > configuration.durability }
        guard configuration.durability > .memory || !requesting.isEmpty else { return nil }
        if let directory = configuration.journal.directory, !directory.isEmpty { return directory }
        do {
            return try StateDirectory.path(
                configured: configuration.directory, program: program, environment: environment)
        } catch {
            // With this default, only the machines need a directory.
            throw configuration.durability > .memory ? error : StateDirectoryError(machine: requesting.first?.name)
        }
    }
}
