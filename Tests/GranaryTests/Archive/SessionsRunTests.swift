import Foundation
import Locking
import Log
import MachineHost
import MachineTesting
import SQLiteJournal
import StateCapture
import Testing

@testable import Granary

/// Commands about the sessions of a directory, without a server and with one.
@Suite struct SessionsRunTests {
    private let directory = "/tmp/granary-\(UUID().uuidString)"

    private func run(
        _ command: SessionsCommand, as user: uid_t = geteuid(), identityFile: String = "",
        machines: [MachineDefinition] = []
    ) -> (status: Int32, output: String, errors: String) {
        let (output, errors) = (Lock(""), Lock(""))
        let status = SessionsRun(
            directory: directory, user: user, identityFile: identityFile,
            print: { text in output.withLock { $0 += text } },
            printError: { text in errors.withLock { $0 += text } }
        )
        .run(command) { machines }
        return (status, output.withLock { $0 }, errors.withLock { $0 })
    }

    private func remove() { try? FileManager.default.removeItem(atPath: directory) }

    private let id = StoredSessionID(high: 0xabcd_ef01_2345_6789, low: 5)

    /// Returns a session in the form of a journal's driver, which no build can read.
    private func store(in journal: any Journal) throws {
        let summary = SessionSummary(
            id: id, machine: "counter", version: 3, createdAt: 0, usedAt: 0, expiresAt: nil, wakesAt: nil,
            hasEnded: false)
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: [1, 2, 3])))
        try journal.commit(batch, isFlushed: true)
    }

    private func create() throws {
        let journal = try SQLiteJournal(directory: directory)
        try store(in: journal)
        try journal.close()
    }

    @Test func `sessions are listed, shown and deleted without a server`() throws {
        defer { remove() }
        try create()
        #expect(
            run(.list).output
                == "abcdef012345  counter  created 1970-01-01T00:00:00Z  used 1970-01-01T00:00:00Z")
        #expect(run(.show("abc")).output.contains("cannot be read"))
        #expect(run(.delete("abc")).status == 0)
        #expect(run(.list).output == "")
        let missing = run(.show("abc"))
        #expect(missing.status == 1)
        #expect(missing.errors.contains("expected the id of a stored session"))
    }

    @Test func `a directory without sessions is an error, and nothing is created`() {
        let result = run(.list)
        #expect(result.status == 1)
        #expect(result.errors.contains("expected stored sessions in \(directory), found none"))
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test func `an import is refused before anything is opened if this build cannot restore the session`() throws {
        defer { remove() }
        try create()
        func importing(_ text: String, _ machines: [MachineDefinition] = []) throws -> (status: Int32, errors: String) {
            let file = "\(directory)/session.json"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let result = run(.importing(file: file), machines: machines)
            return (result.status, result.errors)
        }
        var machine = ScriptedMachine.definition(outputs: ["count"], inputs: [:], made: { $0.set("count", to: "1") })
        machine.captureObstacles = []
        let host = try RestartableHost([machine])
        let text = try host.recording(of: host.harness.makeSession(of: machine.name))
        #expect(try importing("{}").errors.hasPrefix("expected a file that `sessions export` has written"))
        let unknown = try importing(text)
        #expect(unknown.status == 1)
        #expect(
            unknown.errors
                == "expected a session that this build can restore, got one of \"scripted\": no machine has this name")
        #expect(try importing(text, [machine]).status == 0)
        #expect(try importing(text, [machine]).errors.contains("exists; delete it first"))
        #expect(run(.list).output.contains("scripted"))
    }

    @Test func `a directory that another process holds is refused with its name`() throws {
        defer { remove() }
        try create()
        let lock = try JournalLock(directory: directory)
        try lock.recordHolder()
        let result = run(.list)
        #expect(result.status == 1)
        #expect(result.errors.contains("but it is held by process \(getpid())"))
        withExtendedLifetime(lock) {}
    }

    @Test func `a backup is a journal, and replaces nothing`() throws {
        defer { remove() }
        try create()
        let copy = "\(directory)/copy/journal.sqlite"
        try FileManager.default.createDirectory(atPath: "\(directory)/copy", withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(directory)/copy")
        #expect(run(.backUp(file: copy)).output == "saved \(copy)")
        let journal = try SQLiteJournal(directory: "\(directory)/copy")
        #expect(try journal.sessions(after: nil, limit: 9).map(\.id) == [id])
        try journal.close()
        #expect(run(.backUp(file: copy)).status == 1)
    }

    @Test func `a session that cannot be restored fails the check, which leaves nothing behind`() throws {
        defer { remove() }
        try create()
        let result = run(.check)
        #expect(result.status == 1)
        #expect(result.errors.contains("abcdef012345 (counter): no machine has this name"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("check") } == [])
        #expect(run(.delete("abc")).status == 0)
        #expect(run(.check).output == "all stored sessions can be restored: 0")
    }

    @Test func `a check reports an identity key that is missing or does not fit`() throws {
        defer { remove() }
        let journal = try SQLiteJournal(directory: directory)
        try journal.commit(SampleSession.batch(isOwned: true), isFlushed: true)
        try journal.close()
        let prefix = "access.identityKey: expected the key"
        let missing = run(.check)
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix(prefix) && missing.errors.contains("got no such file"))
        #expect(missing.errors.hasSuffix("checked stored sessions: 1, problems: 2"))
        let file = "\(directory)/identity.key"
        #expect(!FileManager.default.fileExists(atPath: file))
        let folder = try KeyFolder()
        let (own, other) = (
            try folder.write(KeyFolder.secret, to: "own"),
            try folder.write(String(repeating: "0b", count: 32), to: "other")
        )
        // An older build has recorded nothing: every key that exists may be the right one.
        #expect(!run(.check, identityFile: other).errors.contains(prefix))
        let opened = try SQLiteJournal(directory: directory)
        try IdentityKey(own, directory).admit(to: opened)
        try opened.close()
        #expect(!run(.check, identityFile: own).errors.contains(prefix))
        #expect(run(.check, identityFile: other).errors.contains(" in \(other), "))
        #expect(run(.check, identityFile: "/nowhere").errors.hasPrefix("access.identityKey: expected to read /nowhere"))
        try FileManager.default.copyItem(atPath: other, toPath: file)
        #expect(run(.check).errors.contains(" in \(file), "))
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: own, toPath: file)
        #expect(!run(.check).errors.contains(prefix))
    }

    @Test(arguments: [SessionsCommand.check, .list, .export("abc")])
    func `another user than that of the directory learns which one to use`(command: SessionsCommand) throws {
        defer { remove() }
        try create()
        let result = run(command, as: geteuid() &+ 12345)
        #expect(result.status == 1)
        let owner = NSUserName()
        #expect(
            result.errors.hasPrefix("expected to run as \(owner) (\(geteuid())), to whom \(directory) belongs, got "))
        #expect(result.errors.hasSuffix(": run the command with sudo -u \(owner)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("check") } == [])
    }

    @Test func `a check removes the copy of one that was killed, and leaves that of one that runs`() async throws {
        defer { remove() }
        try create()
        func copies() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("check") }.sorted()
        }
        let running = try CheckCopy(in: directory)
        #expect(try copies() == ["check-\(getpid())"])
        // One command runs; another one with the same number, as in another container, is told so.
        #expect(throws: OperatorError.self) { try CheckCopy(in: directory) }
        for name in ["check-1", "check-2", "check-this"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)/part", withIntermediateDirectories: true)
        }
        CheckCopy.removeLeftovers(in: directory)
        #expect(try copies() == ["check-\(getpid())", "check-this"])
        try FileManager.default.createDirectory(atPath: "\(directory)/check-3", withIntermediateDirectories: true)
        let store = SessionStore(directory: directory, Configuration.Storage(), log: .silent)
        try await store.open()
        await store.close()
        #expect(try copies() == ["check-\(getpid())", "check-this"])
        withExtendedLifetime(running) {}
    }

    @Test func `commands reach the journal of a running server, which holds the directory`() async throws {
        defer { remove() }
        try create()
        let store = SessionStore(directory: directory, Configuration.Storage(), log: .silent)
        try await store.open()
        store.begin()
        let socket = "\(directory)/control"
        let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(run(.list).output.hasPrefix("abcdef012345  counter"))
        #expect(run(.show("missing")).status == 1)
        #expect(run(.backUp(file: "\(directory)/copy.sqlite")).status == 0)
        // The server reads the keys of its directory.
        let keys = try KeyFolder()
        try FileManager.default.copyItem(
            atPath: try keys.write(KeyFolder.secret, to: "key"), toPath: "\(directory)/signing.keys")
        let backup = "\(directory)/keys.sqlite"
        #expect(run(.backUp(file: backup)).output == "saved \(backup) with signing.keys")
        #expect(run(.check).status == 1)
        // No loop has been created that could know whether the session is in memory.
        #expect(run(.delete("abc")).errors.contains("is being loaded; try again"))
        await store.close()
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(run(.delete("abc")).status == 0)
    }

    @Test func `a socket that a killed server left behind is replaced`() async throws {
        defer { remove() }
        try create()
        #expect(FileManager.default.createFile(atPath: "\(directory)/other", contents: nil))
        var dead = ControlConnection(directory: directory) == nil
        #expect(dead)
        for _ in 0..<2 {
            let store = SessionStore(directory: directory, Configuration.Storage(), log: .silent)
            try await store.open()
            store.begin()
            dead = ControlConnection(directory: directory) == nil
            #expect(!dead)
            await store.close()
        }
    }

    @Test func `a damaged database is reported, and moved aside only on request`() async throws {
        defer { remove() }
        try create()
        let database = "\(directory)/journal.sqlite"
        try Data(repeating: 0x55, count: 8192).write(to: URL(filePath: database))
        let error = await #expect(throws: JournalError.self) {
            try await SessionStore(directory: directory, Configuration.Storage(), log: .silent).open()
        }
        #expect(error?.kind == .damaged)
        #expect(error?.detail.contains("set sessions.moveAside once") == true)
        #expect(try Data(contentsOf: URL(filePath: database)).count == 8192)
        var storage = Configuration.Storage()
        storage.movesAside = true
        let store = SessionStore(directory: directory, storage, log: .silent)
        try await store.open()
        await store.close()
        let kept = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasPrefix("journal-") && $0.hasSuffix(".sqlite") }
        #expect(kept.count == 1)
    }

    @Test func `a successor with another shape is refused before it replaces the server`() async throws {
        defer { remove() }
        func store(_ type: String) throws -> (store: SessionStore, host: SessionHost) {
            var machine = ScriptedMachine.definition(outputs: [], events: [], inputs: [:])
            machine.captureObstacles = []
            machine.stateShape = StateShape(["store.0.count": type])
            let store = SessionStore(directory: directory, Configuration.Storage(), log: .silent)
            return (store, try SessionHost([machine], journal: store.writer))
        }
        let first = try store("Int")
        try await first.store.open()
        first.store.begin()
        let (same, other) = (try store("Int"), try store("String"))
        try same.store.checkShapes(of: same.host)
        #expect(throws: StateShapeError.self) { try other.store.checkShapes(of: other.host) }
        await first.store.close()
        // Without a server that could be asked, opening finds out.
        try other.store.checkShapes(of: other.host)
        await #expect(throws: StateShapeError.self) { try await other.store.open() }
        try await same.store.open()
        await same.store.close()
    }
}
