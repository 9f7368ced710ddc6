import Dispatch
import HTTPModel
import Log
import MachineHost

#if canImport(PostgreSQLJournal)
    import PostgreSQLJournal

    /// The journal of a server in a database elsewhere, which may be unavailable for some time.
    struct RemoteJournal: Sendable {
        private let address: JournalAddress
        private let timeout: Duration
        private let wait: EngineWait
        private let log: Log

        /// Creates the opener of a writer's journal.
        init(_ address: JournalAddress, timeout: Duration, for writer: JournalWriter, log: Log) {
            (self.address, self.timeout, self.log) = (address, timeout, log)
            wait = EngineWait(limit: timeout) { reason in
                writer.noteAvailability(reason == nil)
                guard let reason else { return log(.info, "the database of the sessions is available again") }
                log(
                    .error, "the database of the sessions is not available; inputs are refused",
                    ["reason": .text(reason)])
            }
        }

        func open(for durability: Durability) throws -> any Journal {
            let journal = try address.openPostgreSQL(for: durability, wait)
            if journal.mayLackCommits {
                log(
                    .warning,
                    "the database of the sessions is a copy, was restored, or its server was replaced; all sessions get new epochs",
                    ["database": .text("\(address)")])
            }
            return journal
        }

        /// Stops waiting for the database some time from now, so that a server which shuts down ends.
        func abandonLater() {
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(timeout.wholeMilliseconds))) {
                [wait] in
                wait.abandon()
            }
        }
    }
#else
    /// Stands for a journal elsewhere, for which this build has no driver.
    struct RemoteJournal: Sendable {
        private let reason: String

        init(_ address: JournalAddress, timeout: Duration, for writer: JournalWriter, log: Log) {
            reason = address.problem(for: .disk) ?? "no driver"
        }

        func open(for durability: Durability) throws -> any Journal { throw JournalError(.unsupported, reason) }

        func abandonLater() {}
    }
#endif
