import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Sessions of another build.
struct MigrationTests {
    private struct Failure: Error {}

    /// Multiplies the count by ten. The state of a part, unlike that of a member, is in an array.
    private static let tenfold: StateMigration = { state in
        try state.change("scripted.0") { value in
            guard case .array(let elements) = value, var values = elements.first else { return value }
            values["count"] = .string("\((values["count"]?.text ?? "") + "0")")
            return .array([values])
        }
    }

    private func host(
        _ version: Int, on disk: TestDisk = TestDisk(), after seconds: Int64 = 0,
        _ migrations: [Int: StateMigration] = [1: MigrationTests.tenfold],
        shape: [String: String] = ["scripted.0": "Values"],
        _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> StoredHost {
        try StoredHost(on: disk, after: seconds, version: version, migrations: migrations, shape: shape) {
            configuration in
            configuration.build = "build \(version)"
            configure(&configuration)
        }
    }

    private func contents(_ disk: TestDisk) -> [[UInt8]] {
        disk.entries.flatMap { ($0.snapshot.map { [$0.content] } ?? []) + $0.rows.map(\.content) }
    }

    @Test func `a session is migrated when it is first used, and clients learn what changed`() throws {
        let old = try host(1)
        let session = old.makeSession()
        for _ in 0..<3 { _ = old.send(.post, session + "/inputs/increment") }
        let new = try host(2, on: old.disk)
        let answer = new.send(.get, session)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""version":4"#))
        #expect(answer.text.contains(#""count":30"#))
        let again = try host(2, on: old.disk)
        #expect(again.send(.post, session + "/inputs/increment").text.hasPrefix(#"{"version":5,"changes":{"count":31"#))
    }

    @Test func `an answer waits until the migrated session is stored`() throws {
        let old = try host(1)
        let session = old.makeSession()
        let new = try host(2, on: old.disk)
        #expect(new.send(.get, session).status == 200)
        let stored = try #require(old.disk.entries.first?.snapshot)
        #expect(try StoredSession(stored.content[...]).stateVersion == 2)
    }

    @Test func `an older build continues where the session was before the migration`() throws {
        let old = try host(1)
        let session = old.makeSession()
        for _ in 0..<3 { _ = old.send(.post, session + "/inputs/increment") }
        let new = try host(2, on: old.disk)
        for _ in 0..<2 { _ = new.send(.post, session + "/inputs/increment", key: "k") }
        let back = try host(1, on: old.disk, after: 10)
        let answer = back.send(.get, session)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""count":3,"#))
        let next = try host(1, on: old.disk, after: 20)
        #expect(next.send(.post, session + "/inputs/increment").text.contains(#""count":4"#))
        #expect(
            next.send(.post, session + "/inputs/increment", key: "k").response?.fields
                .contains(.idempotencyReplayed) == true)
    }

    @Test func `a newer session is refused with a reason and kept unchanged`() throws {
        let new = try host(2, [:])
        let session = new.makeSession()
        _ = new.send(.post, session + "/inputs/increment")
        let before = contents(new.disk)
        let old = try host(1, on: new.disk)
        for method in [HTTPMethod.get, .delete] {
            let answer = old.send(method, session)
            #expect(answer.status == 503)
            #expect(answer.text.contains("A newer version of the server has stored this session"))
            #expect(answer.text.contains("incident"))
        }
        #expect(contents(new.disk) == before)
        #expect(try host(2, on: new.disk, [:]).send(.get, session).text.contains(#""count":1"#))
    }

    @Test func `a migration that fails keeps the session for another build`() throws {
        let old = try host(1)
        let session = old.makeSession()
        let before = contents(old.disk)
        let broken = try host(2, on: old.disk, [1: { _ in throw Failure() }])
        let answer = broken.send(.get, session)
        #expect(answer.status == 503)
        #expect(answer.text.contains("cannot be read"))
        #expect(!answer.text.contains("Failure"))
        #expect(contents(old.disk) == before)
        #expect(try host(2, on: old.disk).send(.get, session).status == 200)
    }

    @Test func `a session that this build cannot read does not expire`() throws {
        let new = try host(2, [:]) { $0.idleExpiry = .seconds(60) }
        let session = new.makeSession()
        let before = contents(new.disk)
        let old = try host(1, on: new.disk, after: 10) { $0.idleExpiry = .seconds(60) }
        old.advance(by: 200)
        #expect(contents(new.disk) == before)
        #expect(new.disk.entries.map { $0.snapshot?.summary.hasEnded } == [false])
        let again = try host(2, on: new.disk, after: 215, [:]) { $0.idleExpiry = .seconds(60) }
        #expect(again.send(.get, session).status == 200)
    }

    @Test func `a build with another shape and the same version does not open the journal`() throws {
        let old = try host(1)
        let session = old.makeSession()
        let changed = try host(1, on: old.disk, shape: ["scripted.0": "Other"])
        let failure = try #require(old.disk.failures.withLock { $0.last })
        #expect(failure.contains("the shape of its state changed, the version did not"))
        #expect(failure.contains("scripted.0 has type Other instead of Values"))
        #expect(changed.start(.get, session).response == nil)
    }

    @Test func `members may be added without a new version, and the build before may return`() throws {
        let old = try host(1)
        let session = old.makeSession()
        let larger = try host(1, on: old.disk, shape: ["scripted.0": "Values", "scripted.1": "Int"])
        #expect(larger.send(.get, session).status == 200)
        #expect(try host(1, on: old.disk).send(.get, session).status == 200)
        #expect(old.disk.failures.withLock { $0.isEmpty })
    }
}
