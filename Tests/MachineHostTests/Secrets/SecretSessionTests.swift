import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// Sessions of machines with secrets.
struct SecretSessionTests {
    private let secret = "hunter2"
    private static let definition = ScriptedMachine.definition(
        outputs: ["password"], inputs: ["password": { $0.set("password", to: $1) }], made: { ScriptedState.capture($0) }
    )

    private func keys(_ bytes: UInt8...) throws -> SecretKeys {
        try #require(SecretKeys(try bytes.map { try .repeating($0) }))
    }

    private func host(on disk: TestDisk = TestDisk(), _ keys: SecretKeys?) throws -> StoredHost {
        try StoredHost(on: disk, of: Self.definition.secret("password")) { $0.secretKeys = keys }
    }

    /// Returns a host with a session that knows the secret.
    private func hostWithSession(_ keys: SecretKeys) throws -> (StoredHost, session: String) {
        let host = try host(keys)
        let session = host.makeSession()
        #expect(host.send(.post, session + "/inputs/password", body: "\"\(secret)\"", key: "1").status == 200)
        return (host, session)
    }

    private func shows(_ host: StoredHost, _ session: String) -> Bool {
        host.send(.get, session).text.contains(secret)
    }

    /// Whether the stored bytes contain the secret.
    private func isVisible(on disk: TestDisk) -> Bool {
        disk.entries.contains { entry in
            (entry.rows.map(\.content) + [entry.snapshot?.content ?? []]).contains {
                String(decoding: $0, as: UTF8.self).contains(secret)
            }
        }
    }

    private func archive(_ host: StoredHost, _ keys: SecretKeys?) throws -> SessionArchive {
        let journal = MemoryJournal()
        for entry in host.disk.entries {
            guard let snapshot = entry.snapshot else { continue }
            var batch = JournalBatch()
            batch.add(.store(snapshot))
            for row in entry.rows {
                batch.append(session: snapshot.summary.id, number: row.number, previous: 0, wakesAt: row.wakesAt) {
                    $0.append(contentsOf: row.content)
                }
            }
            try journal.commit(batch, isFlushed: true)
        }
        return SessionArchive(DirectJournalAccess(journal), opening: SessionSeal(keys)) {
            WallTime(seconds: 1_767_225_600)
        }
    }

    private func name(_ session: String) -> String { String(session.dropFirst("/v1/sessions/".count)) }

    @Test func `a secret is in no row and in no snapshot, and survives the process`() throws {
        let (host, session) = try hostWithSession(keys(1))
        #expect(shows(host, session))
        #expect(host.disk.entries.first?.rows.count == 1)
        #expect(!isVisible(on: host.disk))
        host.session.map { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        #expect(host.disk.entries.first?.rows.isEmpty == true)
        #expect(!isVisible(on: host.disk))
        let next = try self.host(on: host.disk, keys(1))
        #expect(shows(next, session))
        #expect(next.send(.get, session).text.contains(#""durability":"disk""#))
        // The response to the key is part of the session, too.
        #expect(next.send(.post, session + "/inputs/password", body: "\"\(secret)\"", key: "1").text.contains(secret))
    }

    @Test func `without the encryption, the secret would be visible`() throws {
        let host = try StoredHost(of: Self.definition)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/password", body: "\"\(secret)\"")
        #expect(isVisible(on: host.disk))
    }

    @Test func `a machine with secrets is not stored without a key, and says why`() throws {
        let host = try host(nil)
        let session = host.makeSession()
        #expect(host.send(.get, session).text.contains(#""durability":"memory""#))
        #expect(host.disk.entries.isEmpty)
        let machine = try Self.definition.secret("password")
        var captured = machine.storable(with: nil)
        captured.captureObstacles = []
        #expect(captured.obstacleText == "no key is configured to store what is secret: password")
        #expect(captured.durability(stored: .disk) == .memory)
        captured.durability = .disk
        let error = #expect(throws: MachineRegistrationError.self) { try HostHarness([captured]) }
        #expect(error.map { "\($0)".contains("no key is configured") } == true)
    }

    @Test func `a session whose key is missing is kept until the key is back`() throws {
        let (host, session) = try hostWithSession(keys(1))
        for missing in [nil, try keys(2)] {
            let other = try self.host(on: host.disk, missing)
            let answer = other.send(.get, session)
            #expect(answer.status == 503)
            #expect(answer.text.contains("requires an encryption key that the server does not have"))
            #expect(other.send(.post, session + "/inputs/password", body: "\"x\"").status == 503)
            // Neither time nor maintenance removes it.
            other.advance(by: 3)
            #expect(other.send(.delete, session).status == 503)
        }
        #expect(shows(try self.host(on: host.disk, keys(1)), session))
    }

    @Test func `an expired session whose key is missing is kept`() throws {
        let (host, session) = try hostWithSession(keys(1))
        let other = try StoredHost(on: host.disk, of: Self.definition.secret("password")) {
            $0.secretKeys = try? keys(2)
            $0.idleExpiry = .seconds(5)
        }
        other.advance(by: 20)
        #expect(shows(try self.host(on: host.disk, keys(1)), session))
    }

    @Test func `a new key encrypts what follows, and the old one is needed until then`() throws {
        let (host, session) = try hostWithSession(keys(1))
        let rotated = try self.host(on: host.disk, keys(2, 1))
        #expect(shows(rotated, session))
        _ = rotated.send(.post, session + "/inputs/password", body: "\"\(secret)!\"")
        #expect(try self.host(on: host.disk, keys(2)).send(.get, session).status == 503)
        let renewing = try self.host(on: host.disk, keys(2, 1))
        _ = renewing.send(.get, session)
        renewing.session.map { renewing.harness.shard.renewSnapshot(of: $0) }
        renewing.store()
        #expect(shows(try self.host(on: host.disk, keys(2)), session))
        #expect(try self.host(on: host.disk, keys(1)).send(.get, session).status == 503)
    }

    @Test func `a session that was stored before its machine had secrets is encrypted from then on`() throws {
        let before = try StoredHost(of: Self.definition)
        let session = before.makeSession()
        _ = before.send(.post, session + "/inputs/password", body: "\"\(secret)\"")
        let host = try host(on: before.disk, keys(1))
        #expect(shows(host, session))
        _ = host.send(.post, session + "/inputs/password", body: "\"\(secret)!\"")
        host.session.map { host.harness.shard.renewSnapshot(of: $0) }
        host.store()
        #expect(!isVisible(on: host.disk))
        #expect(shows(try self.host(on: host.disk, keys(1)), session))
    }

    @Test func `a session in clear text is not continued without a key, once its machine has secrets`() throws {
        let before = try StoredHost(of: Self.definition)
        let session = before.makeSession()
        let host = try host(on: before.disk, nil)
        #expect(host.send(.get, session).status == 503)
        #expect(host.send(.post, session + "/inputs/password", body: "\"\(secret)\"").status == 503)
        #expect(!isVisible(on: host.disk))
        #expect(try StoredHost(on: host.disk, of: Self.definition).send(.get, session).status == 200)
    }

    @Test func `commands show and export no secret`() throws {
        let (host, session) = try hostWithSession(keys(1))
        let archive = try archive(host, keys(1))
        let lines = try archive.show(name(session))
        #expect(lines.contains("encrypted with the key \(try SecretKey.repeating(1))"))
        #expect(!lines.joined().contains(secret))
        #expect(!lines.contains("outputs"))
        let file = try archive.export(name(session))
        let bytes = Array("\"\(secret)\"".utf8)
        #expect(!file.contains(secret) && !file.contains(Base64URL.text(of: bytes)))
        let entry = try ExportedSession(file).entry
        let contents = entry.rows.map(\.content) + [entry.snapshot?.content ?? []]
        #expect(contents.allSatisfy { SealedContent($0[...]) != nil })
    }

    @Test func `an encrypted session is forked and imported with its key only`() throws {
        let (host, session) = try hostWithSession(keys(1))
        let archive = try archive(host, keys(1))
        let fork = try archive.fork(name(session), at: nil)
        #expect(try archive.show(fork).contains { $0.hasPrefix("encrypted with the key ") })
        let file = try archive.export(name(session))
        try archive.delete(name(session))
        let without = try self.archive(host, nil)
        #expect(throws: UnreadableSession.self) { try without.fork(name(session), at: nil) }
        try without.delete(name(session))
        #expect(throws: UnreadableSession.self) { try without.importSession(file) }
        _ = try archive.importSession(file)
        #expect(try archive.show(name(session)).contains { $0.hasPrefix("encrypted with the key ") })
    }

    @Test func `the check of stored sessions names the missing key`() throws {
        let (host, _) = try hostWithSession(keys(1))
        let journal = MemoryJournal()
        var batch = JournalBatch()
        for entry in host.disk.entries { if let snapshot = entry.snapshot { batch.add(.store(snapshot)) } }
        try journal.commit(batch, isFlushed: true)
        var machine = try Self.definition.secret("password")
        machine.captureObstacles = []
        #expect(try StoredSessionCheck(of: journal, machines: [machine], keys: keys(1)).problems == [])
        let problems = try StoredSessionCheck(of: journal, machines: [machine], keys: keys(2)).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("expected the key \(try SecretKey.repeating(1))") == true, "\(problems)")
    }

    @Test func `only an input or a member can be secret`() throws {
        var machine = Self.definition
        machine.stateShape = StateShape(["Store.0.login.token": "String"])
        #expect(throws: Never.self) { try machine.secret("token", "login.token", "password") }
        #expect(throws: MachineRegistrationError.self) { try machine.secret("pasword") }
        #expect(throws: MachineRegistrationError.self) { try machine.secret("") }
        #expect(throws: MachineRegistrationError.self) { try machine.secret("oken") }
    }
}
