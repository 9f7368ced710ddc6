import MachineHost

#if canImport(PostgreSQLJournal)
    import PostgreSQLJournal
#endif

/// Where sessions are stored: in a database of SQLite, or in one of PostgreSQL. The address of the latter may contain a password, which
/// descriptions, dumps and mirrors do not show.
public struct JournalAddress: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The values of the key `sessions.journal`.
    static let expectation = "sqlite:, sqlite:DIRECTORY or postgresql://USER@HOST/DATABASE"

    private let text: String

    /// Creates an address. An invalid one is reported when the server starts.
    public init(_ text: String) { self.text = text }

    /// SQLite in the state directory.
    public static let sqlite = JournalAddress("sqlite:")

    /// The directory of a database of SQLite; empty for the state directory, and nil for another driver.
    var directory: String? {
        text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : nil
    }

    /// The address without a password, and without the options of a connection.
    public var description: String {
        if directory != nil { return text }
        #if canImport(PostgreSQLJournal)
            if let address = try? PostgreSQLAddress(text) { return "\(address)" }
        #endif
        return "set"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private var isPostgreSQL: Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

    /// Returns why a server cannot store sessions with a durability at the address; nil if nothing is wrong with the address. The reason
    /// contains no part of it.
    func problem(for durability: Durability) -> String? {
        if directory != nil {
            guard durability > .disk else { return nil }
            return
                "sessions.journal: expected postgresql://USER@HOST/DATABASE for the durability \(durability.rawValue), got SQLite"
        }
        guard isPostgreSQL else { return "sessions.journal: expected \(JournalAddress.expectation), got another text" }
        #if canImport(PostgreSQLJournal)
            do {
                _ = try PostgreSQLAddress(text)
                return nil
            } catch {
                return "sessions.journal: \(error)"
            }
        #else
            return
                "sessions.journal: expected sqlite:, because this build has no driver for PostgreSQL; install libpq-dev and build it again"
        #endif
    }

    #if canImport(PostgreSQLJournal)
        /// Opens the journal, if it is in a database of PostgreSQL.
        func openPostgreSQL(for durability: Durability, _ wait: EngineWait) throws -> PostgreSQLJournal {
            try PostgreSQLJournal(PostgreSQLAddress(text), guarantee: max(durability, .disk), wait: wait)
        }
    #endif
}

extension Configuration.Storage {
    /// Returns why sessions of machines cannot be stored as configured; nil if nothing is wrong with the configuration.
    func journalProblem(for machines: [MachineDefinition]) -> String? {
        journal.problem(for: max(durability, machines.compactMap(\.durability).max() ?? .memory))
    }
}

extension ConfigurationFormat<JournalAddress> {
    /// The address of a journal. `check-config` prints it without a password.
    static var journal: ConfigurationFormat {
        ConfigurationFormat(
            expectation: JournalAddress.expectation,
            read: { input in
                switch input {
                // Any text: a message about an invalid one would contain the password.
                case .text(let text), .json(.string(let text)): JournalAddress(text)
                case .json: nil
                }
            }, text: { $0.description }, literal: { JSON5Text.quoted($0.description) })
    }
}
