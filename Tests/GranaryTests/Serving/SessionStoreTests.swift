import Foundation
import Log
import MachineHost
import MachineTesting
import SQLiteJournal
import Testing

@testable import Granary

/// Which servers store sessions.
struct SessionStoreTests {
    private func machine(_ durability: Durability?) -> MachineDefinition {
        var machine = ScriptedMachine.definition("orders", outputs: [])
        machine.captureObstacles = []
        machine.durability = durability
        return machine
    }

    private func store(
        _ durability: Durability, _ machines: [Durability?], home: String? = "/home/none"
    ) throws -> SessionStore? {
        var storage = Configuration.Storage()
        storage.durability = durability
        return try SessionStore(
            storage, for: machines.map(machine), program: "shop", environment: home.map { ["HOME": $0] } ?? [:],
            log: .silent)
    }

    @Test func `a server stores sessions if the configuration or a machine requests it`() throws {
        #expect(try store(.memory, [nil, .memory]) == nil)
        #expect(try store(.disk, [])?.directory == "/home/none/.local/state/shop")
        let store = try #require(try store(.memory, [nil, .process, .disk]))
        #expect(store.writer.durability == .disk)
        #expect(store.writer.defaultDurability == .memory)
        let process = try #require(try self.store(.process, [nil, .disk]))
        #expect(process.writer.durability == .disk)
        #expect(process.writer.defaultDurability == .process)
        let disk = try #require(try self.store(.disk, [.process]))
        #expect(disk.writer.durability == .disk)
        #expect(disk.writer.defaultDurability == .disk)
    }

    @Test func `a server without a directory for what a machine requests does not start, and names the machine`() {
        let error = #expect(throws: StateDirectoryError.self) { try store(.memory, [nil, .disk], home: nil) }
        #expect(
            error?.description.hasSuffix(
                "got none; the registration of the machine \"orders\" requests that its sessions are stored") == true)
        let other = #expect(throws: StateDirectoryError.self) { try store(.process, [.disk], home: nil) }
        #expect(other?.description.contains("set sessions.durability to memory") == true)
    }
}

/// The keys of restored backups, when a server starts.
@Suite struct RestoredKeysTests {
    private let folder: KeyFolder
    private let lines = LogLines()
    private var directory: String { "\(folder.path)/state" }

    init() throws { folder = try KeyFolder() }

    private func store() -> SessionStore {
        SessionStore(directory: directory, Configuration.Storage(), log: lines.log)
    }

    private var cookies: Configuration {
        var configuration = Configuration()
        configuration.access.usesCookie = true
        return configuration
    }

    /// Prepares a server as `serve` does.
    private func prepare(_ store: SessionStore) throws -> ServerPreparation {
        try ServerPreparation(cookies, store: store, log: lines.log) { [] }
    }

    /// Gives the directory the backup of a journal with an owned session and keys.
    private func restore() throws {
        let journal = try SQLiteJournal(directory: "\(folder.path)/source")
        try journal.commit(SampleSession.batch(isOwned: true), isFlushed: true)
        try folder.write(KeyFolder.secret, to: "source/identity.key")
        try IdentityKey("", "\(folder.path)/source").admit(to: journal)
        try folder.write(KeyFolder.secret, to: "source/signing.keys")
        let keys = try CopiedKeys(for: journal, in: "\(folder.path)/source")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let backup = try journal.beginBackup(to: "\(directory)/journal.sqlite", adding: keys.properties)
        while try !backup.step(pages: 1000) {}
        try journal.close()
    }

    @Test func `a server creates the keys of a restored backup before it reads them`() async throws {
        try restore()
        let store = store()
        try store.restoreKeys(isReplacing: false)
        // The directory stays locked until the journal is used.
        #expect(throws: JournalError.self) { try JournalLock(directory: directory) }
        let prepared = try prepare(store)
        #expect(prepared.access.identity?.isNew == false)
        try await store.open()
        await store.close()
        #expect(try folder.text(of: "state/identity.key") == KeyFolder.secret)
        #expect(try folder.text(of: "state/signing.keys") == KeyFolder.secret)
    }

    @Test func `without the restoration, the server would not start, and creates no identity key`() async throws {
        try restore()
        let store = store()
        _ = try prepare(store)
        let error = await #expect(throws: OperatorError.self) { try await store.open() }
        #expect(error?.description.contains("\(directory)/identity.key") == true)
        #expect(folder.mode(of: "state/identity.key") == 0)
    }

    @Test func `a server without sessions creates the journal only when it opens it`() async throws {
        let store = store()
        try store.restoreKeys(isReplacing: false)
        #expect(folder.names == [])
        let prepared = try prepare(store)
        #expect(prepared.access.identity?.isNew == true && folder.mode(of: "state/journal.sqlite") == 0)
        try await store.open()
        #expect(folder.mode(of: "state/identity.key") == 0o600)
        await store.close()
    }

    @Test func `a server that replaces another one leaves the journal and its keys to that one`() async throws {
        try restore()
        let store = store()
        try withExtendedLifetime(try JournalLock(directory: directory)) {
            try store.restoreKeys(isReplacing: true)
            #expect(throws: JournalError.self) { try store.restoreKeys(isReplacing: false) }
        }
        #expect(folder.mode(of: "state/identity.key") == 0)
        // Here, the other server has a control socket.
        try folder.write(KeyFolder.secret, to: "state/identity.key")
        let other = self.store()
        try await other.open()
        other.begin()
        try store.restoreKeys(isReplacing: true)
        #expect(folder.mode(of: "state/signing.keys") == 0)
        await other.close()
        // Nobody has the journal: the server that is replaced has another directory.
        try store.restoreKeys(isReplacing: true)
        #expect(folder.mode(of: "state/signing.keys") == 0o600)
        try await store.open()
        await store.close()
    }
}
