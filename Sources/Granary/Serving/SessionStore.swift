import Log
import MachineHost
import ProcessLifecycle
import SQLiteJournal

/// The stored sessions of a server process.
struct SessionStore: Sendable {
    /// The directory.
    let directory: String
    /// The writer, which has no journal until ``open()`` or ``openWhenFree(within:log:)``.
    let writer: JournalWriter

    /// Creates the store of a server. Opens nothing.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - durability: What the sessions survive.
    ///   - log: The log of the server.
    init(directory: String, durability: Durability, log: Log) {
        self.directory = directory
        writer = JournalWriter(durability: durability, executor: DispatchJournalExecutor()) { error in
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
        }
    }

    /// The status with which a process ends that cannot store its sessions (EX_IOERR in `sysexits.h`).
    private static func end() -> Never { ProcessExit.exitImmediately(74) }

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

    /// Opens the journal when the server before this one has released it. Requests for sessions wait until then.
    func openWhenFree(within patience: Duration, log: Log) {
        writer.open(patience: patience, slots: openSlots, openJournal) { error in
            guard let error else { return }
            log(.error, "the stored sessions cannot be opened; the process ends", ["reason": .text("\(error)")])
            log.flush(within: ProgramOutput.serverLimit)
            SessionStore.end()
        }
    }

    private var openJournal: @Sendable () throws -> any Journal {
        { [directory] in try SQLiteJournal(directory: directory) }
    }

    private var openSlots: @Sendable () throws -> TurnSlots? {
        { [directory] in try TurnSlotFile.open(in: directory) }
    }

    /// Stores what has been added and releases the journal. Sessions take no more turns.
    func close() async {
        await withCheckedContinuation { continuation in writer.close { continuation.resume() } }
    }
}

extension SessionStore {
    /// Creates the store of a program's server. Returns nil if its sessions are not stored.
    ///
    /// - Throws: If there is no directory.
    init?(
        _ configuration: Configuration.Storage, program: String, environment: [String: String], log: Log
    ) throws(StateDirectoryError) {
        guard configuration.durability > .memory else { return nil }
        let directory = try StateDirectory.path(
            configured: configuration.directory, program: program, environment: environment)
        self.init(directory: directory, durability: configuration.durability, log: log)
    }
}
