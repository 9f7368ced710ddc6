import Access
import Locking
import Testing

@testable import MachineHost

/// Which key identifies the owners of a journal's sessions.
struct JournalIdentityTests {
    private let journal = MemoryJournal()
    private let key = IdentityFingerprint(of: .random())
    private let other = IdentityFingerprint(of: .random())

    private func add(_ number: UInt64, owner: SessionOwner? = nil, hasEnded: Bool = false) throws {
        try store(summary(number, hasEnded: hasEnded, owner: owner))
    }

    private func summary(
        _ number: UInt64, hasEnded: Bool = false, owner: SessionOwner? = nil, name: SessionName? = nil
    ) -> SessionSummary {
        SessionSummary(
            id: StoredSessionID(high: number, low: 1), machine: "counter", version: 0, createdAt: 0, usedAt: 0,
            expiresAt: nil, wakesAt: nil, hasEnded: hasEnded, owner: owner, name: name)
    }

    private func store(_ summary: SessionSummary) throws {
        var batch = JournalBatch()
        batch.add(.store(SessionSnapshot(summary: summary, covers: 0, content: [1])))
        try journal.commit(batch, isFlushed: true)
    }

    private let owner = SessionOwner(high: 1, low: 2)

    private func identity() throws -> JournalIdentity { try JournalIdentity(of: journal) }

    @Test func `a journal knows the key that was recorded last`() throws {
        #expect(try identity().fingerprint == nil)
        try identity().record(key)
        #expect(try identity().fingerprint == key)
        try identity().record(other)
        #expect(try identity().fingerprint == other)
    }

    @Test func `another key is refused as soon as a session has an owner`() throws {
        try identity().record(key)
        #expect(try identity().accepts(other, isNew: false) && identity().accepts(other, isNew: true))
        try add(1)
        try add(2, owner: owner, hasEnded: true)
        #expect(try identity().accepts(other, isNew: false))
        try add(3, owner: owner)
        #expect(try !identity().accepts(other, isNew: false))
        #expect(try !identity().accepts(other, isNew: true))
        #expect(try identity().accepts(key, isNew: false))
    }

    @Test func `a journal of an older build accepts the key that exists, and no new one`() throws {
        try add(1, owner: owner)
        #expect(try identity().accepts(key, isNew: false))
        #expect(try !identity().accepts(key, isNew: true))
    }

    @Test func `an owned session is found behind many others, also if it has a name`() throws {
        // More than are read at once.
        for number in 1...1000 as ClosedRange<UInt64> { try add(number) }
        #expect(try !identity().hasOwners())
        try store(summary(2000, name: SessionName(owner: owner, text: "main")))
        #expect(try identity().hasOwners())
    }

    @Test func `a fingerprint that cannot be read is damage, and an empty one counts as missing`() throws {
        for (value, isDamaged) in [([1, 2, 3], true), ([], false)] as [([UInt8], Bool)] {
            var batch = JournalBatch()
            batch.add(.set(property: "identity", value: value))
            try journal.commit(batch, isFlushed: true)
            if isDamaged {
                let error = #expect(throws: JournalError.self) { try identity() }
                #expect(error?.kind == .damaged)
            } else {
                #expect(try identity().fingerprint == nil)
            }
        }
    }

    @Test func `a journal that a check refuses is not used`() throws {
        let disk = TestDisk()
        let host = try StoredHost(on: disk, opens: false)
        host.writer.addCheck { journal in
            guard try JournalIdentity(of: journal).fingerprint == nil else { return }
            throw JournalError(.unsupported, "no key")
        }
        host.open()
        #expect(disk.failures.withLock { $0 } == ["no key"])
        #expect(host.writer.phase == .opening)
    }
}
