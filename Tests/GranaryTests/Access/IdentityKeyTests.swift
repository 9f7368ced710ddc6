import Access
import Foundation
import MachineHost
import Testing

@testable import Granary

/// The identity key of a server and the journals that accept it.
@Suite struct IdentityKeyTests {
    private let folder: KeyFolder
    private var file: String { "\(folder.path)/identity.key" }

    init() throws { folder = try KeyFolder() }

    private func key(_ configured: String = "") throws(OperatorError) -> IdentityKey {
        try IdentityKey(configured, folder.path)
    }

    private func journal(isOwned: Bool = true) throws -> MemoryJournal {
        let journal = MemoryJournal()
        try journal.commit(SampleSession.batch(isOwned: isOwned), isFlushed: true)
        return journal
    }

    @Test func `a new key is saved when a journal without owners accepts it, and found by the next start`() throws {
        let journal = try journal(isOwned: false)
        let new = try key()
        #expect(new.isNew && folder.names == [])
        try new.admit(to: journal)
        #expect(folder.names == ["identity.key"] && folder.mode(of: "identity.key") == 0o600)
        let next = try key()
        #expect(!next.isNew && next.fingerprint == new.fingerprint)
        let principal = Principal(method: .apiKey, id: "a")
        #expect(next.hasher.hash(of: principal) == new.hasher.hash(of: principal))
        try journal.commit(SampleSession.batch(isOwned: true), isFlushed: true)
        try next.admit(to: journal)
    }

    @Test func `a missing key is not replaced while sessions have owners, however often the server starts`() throws {
        let journal = try journal()
        for isRecorded in [false, true, true] {
            let first = try JournalIdentity(of: journal)
            if isRecorded { try first.record(IdentityFingerprint(of: SecretBytes(copying: [1]))) }
            let missing = try key()
            let error = #expect(throws: OperatorError.self) { try missing.admit(to: journal) }
            let message = try #require(error?.description)
            #expect(message.hasPrefix("access.identityKey: expected the key"))
            #expect(message.contains(" in \(file), ") && message.contains("got no such file"))
            #expect(message.contains("sessions delete --machine NAME"))
            #expect(message.contains("with the fingerprint") == isRecorded)
            #expect(folder.names == [])
        }
    }

    @Test func `a foreign key is refused with both fingerprints, and the former one is accepted again`() throws {
        let journal = try journal()
        try folder.write(KeyFolder.secret, to: "identity.key")
        let own = try key()
        try own.admit(to: journal)
        try folder.write(String(repeating: "0b", count: 32), to: "identity.key")
        let foreign = try key()
        let error = #expect(throws: OperatorError.self) { try foreign.admit(to: journal) }
        let message = try #require(error?.description)
        #expect(message.contains("with the fingerprint \(own.fingerprint) in \(file), "))
        #expect(message.contains("got one with the fingerprint \(foreign.fingerprint)"))
        #expect(!message.contains(KeyFolder.secret))
        try folder.write(KeyFolder.secret, to: "identity.key")
        try key().admit(to: journal)
    }

    @Test func `a configured key is compared, too, and may be the one of the directory at another place`() throws {
        let journal = try journal()
        let path = try folder.write(KeyFolder.secret, to: "configured")
        try key(path).admit(to: journal)
        #expect(folder.names == ["configured"])
        let moved = try folder.write(KeyFolder.secret, to: "moved")
        try key(moved).admit(to: journal)
        let other = try key(try folder.write(String(repeating: "0b", count: 32), to: "other"))
        let error = #expect(throws: OperatorError.self) { try other.admit(to: journal) }
        #expect(error?.description.contains(" in \(folder.path)/other, ") == true)
        let missing = #expect(throws: OperatorError.self) { try key("/nowhere") }
        #expect(missing?.description.hasPrefix("access.identityKey: expected to read /nowhere") == true)
    }

    @Test func `a file that is empty or open to others is named, and not replaced`() throws {
        for (text, mode, reason) in [("", 0o600, "got none"), (KeyFolder.secret, 0o644, "mode 0644")] {
            try folder.write(text, to: "identity.key", mode: mode_t(mode))
            let error = #expect(throws: OperatorError.self) { try key() }
            #expect(error?.description.contains(file) == true && error?.description.contains(reason) == true)
            #expect(try folder.text(of: "identity.key") == text)
        }
    }

    @Test func `a key that another process has created meanwhile is not ignored`() throws {
        let new = try key()
        try folder.write(KeyFolder.secret, to: "identity.key")
        let error = #expect(throws: OperatorError.self) { try new.admit(to: try journal(isOwned: false)) }
        #expect(error?.description.contains("start the server again") == true)
        #expect(try folder.text(of: "identity.key") == KeyFolder.secret)
    }

    @Test func `without a state directory, the key ends with the process`() throws {
        let key = try IdentityKey("", nil)
        #expect(!key.isNew)
        #expect(try key.fingerprint != IdentityKey("", nil).fingerprint)
    }
}

/// Batches that store a session.
enum SampleSession {
    static let id = StoredSessionID(high: 0xabcd_ef01_2345_6789, low: 6)

    /// Returns a batch that stores a session with or without an owner.
    static func batch(isOwned: Bool) -> JournalBatch {
        var batch = JournalBatch()
        let summary = SessionSummary(
            id: id, machine: "counter", version: 3, createdAt: 0, usedAt: 0, expiresAt: nil, wakesAt: nil,
            hasEnded: false, owner: isOwned ? SessionOwner(high: 1, low: 2) : nil)
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: [1, 2, 3])))
        return batch
    }
}
