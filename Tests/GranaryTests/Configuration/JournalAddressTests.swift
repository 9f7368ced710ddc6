import Log
import MachineHost
import MachineTesting
import Testing

@testable import Granary

struct JournalAddressTests {
    private static let uri = "postgresql://granary:hush@db.example.com/sessions?target_session_attrs=read-write"

    private func load(_ flags: [String: String]) throws -> Configuration {
        try ConfigurationLoader.load(
            .standard, file: nil, environment: [:], flags: flags.map { (name: $0.key, value: $0.value) })
    }

    @Test func `sessions are stored with SQLite in the state directory by default`() throws {
        let storage = try load([:]).storage
        #expect(storage.journal.directory == "")
        #expect("\(storage.journal)" == "sqlite:")
        #expect(storage.journalProblem(for: []) == nil)
    }

    @Test func `the directory of SQLite replaces the state directory`() throws {
        let storage = try load([
            "sessions.journal": "sqlite:/srv/sessions", "sessions.stateDirectory": "/srv/other",
        ]).storage
        let directory = try SessionStore.directory(storage, for: [], program: "shop", environment: [:])
        #expect(directory == "/srv/sessions")
    }

    @Test func `the password of a database is shown nowhere`() throws {
        let configuration = try load(["sessions.journal": JournalAddressTests.uri])
        var text = EffectiveValue.all(of: .standard, in: configuration).map { "\($0.name)=\($0.value)" }
            .joined(separator: "\n")
        dump(configuration.storage, to: &text)
        text += "\(configuration.storage) \(String(reflecting: configuration.storage.journal))"
        #expect(!text.contains("hush"))
        #if canImport(PostgreSQLJournal)
            #expect(text.contains("sessions.journal=postgresql://granary@db.example.com/sessions\n"))
            #expect(configuration.storage.journalProblem(for: []) == nil)
        #else
            #expect(configuration.storage.journalProblem(for: [])?.contains("libpq-dev") == true)
        #endif
    }

    @Test(arguments: ["postgres:/granary:hush@db/sessions", "postgresql://granary:hu@sh@db/sessions", "hush", ""])
    func `an invalid address is a problem that does not quote it`(text: String) throws {
        let problem = try load(["sessions.journal": text]).storage.journalProblem(for: [])
        #expect(problem?.hasPrefix("sessions.journal: expected") == true)
        #expect(problem?.contains("hu") == false)
    }

    @Test func `sessions that must survive the loss of a server need a database elsewhere`() throws {
        let storage = try load(["sessions.durability": "replicated"]).storage
        #expect(storage.journalProblem(for: [])?.contains("replicated") == true)
        var machine = ScriptedMachine.definition("orders", outputs: [])
        machine.durability = .replicated
        #expect(try load([:]).storage.journalProblem(for: [machine])?.contains("replicated") == true)
        #expect(throws: OperatorError.self) {
            try SessionStore(storage, for: [], program: "shop", environment: ["HOME": "/home/none"], log: .silent)
        }
    }
}
