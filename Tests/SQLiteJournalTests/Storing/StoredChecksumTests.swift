import CLinux
import Glibc
import MachineHost
import Testing

@testable import SQLiteJournal

/// What is read of a session after its stored bytes have changed.
struct StoredChecksumTests {
    private let directory: TestDirectory
    private var path: String { directory.path + "/state" }
    private let session = StoredSessionID.sample(1)
    private let other = StoredSessionID.sample(2)
    private let content = (0..<64 as Range<UInt8>).map { $0 * 3 + 1 }

    init() throws {
        directory = try TestDirectory()
    }

    /// Returns a journal with a session of three rows and another session.
    private func journal() throws -> SQLiteJournal {
        let journal = try SQLiteJournal(directory: path)
        try journal.append(session, rows: 1...3)
        try journal.commit { batch in
            batch.add(.store(.sample(other, covers: 0, content: content)))
            batch.append(session: other, number: 10, previous: 0, wakesAt: 7) {
                $0.append(contentsOf: content.reversed())
            }
        }
        return journal
    }

    @Test(arguments: [
        "UPDATE journal SET content = x'09' WHERE i = 2", "UPDATE journal SET previous = 1 WHERE i = 3",
        "UPDATE journal SET wakes_at = 5 WHERE i = 1", "UPDATE journal SET i = 4 WHERE i = 3",
        "UPDATE sessions SET covers = 1 WHERE id = (SELECT session FROM journal WHERE i = 1)",
        "UPDATE contents SET content = x'02' WHERE n = 1", "UPDATE contents SET checksum = checksum + 1 WHERE n = 1",
        "UPDATE sessions SET content = 2 WHERE id = (SELECT session FROM journal WHERE i = 1)",
    ])
    func `a session whose bytes have changed is damaged, and no other`(change: String) throws {
        let first = try journal()
        try first.database().connection.execute(change)
        try first.close()
        let next = try SQLiteJournal(directory: path)
        #expect(failure { _ = try next.load(session) }?.kind == .damaged)
        #expect(try next.load(other)?.rows.map(\.content) == [content.reversed()])
        #expect(try next.summary(of: session)?.id == session)
        // It does not keep the journal from being used.
        try next.append(other, rows: 11...11)
    }

    @Test func `a damaged session does not keep others from being woken`() throws {
        let journal = try journal()
        try journal.database().connection.execute(
            "UPDATE sessions SET due_at = 5; UPDATE sessions SET owner = x'01' WHERE id = "
                + "(SELECT session FROM journal WHERE i = 1)")
        #expect(try journal.sessions(dueAt: 9, limit: 9).map(\.id) == [other])
        #expect(failure { _ = try journal.summary(of: session) }?.kind == .damaged)
    }

    @Test
    func `no changed bit of a content or a row is taken for a state`() throws {
        let first = try journal()
        let expected = try first.load(other)
        try first.close()
        let file = path + "/journal.sqlite"
        let bytes = try #require(TestDirectory.read(file))
        for pattern in [content, content.reversed()] {
            let start = try #require(bytes.indices.dropLast(64).first { bytes[$0..<$0 + 64].elementsEqual(pattern) })
            for offset in 0..<64 {
                var changed = bytes
                changed[start + offset] ^= 1 << UInt8(offset % 8)
                TestDirectory.write(changed, to: file)
                let journal = try SQLiteJournal(directory: path)
                #expect(failure { _ = try journal.load(other) }?.kind == .damaged, "\(offset)")
                #expect(try journal.load(session)?.rows.count == 3)
                try journal.close()
            }
        }
        TestDirectory.write(bytes, to: file)
        let found = try SQLiteJournal(directory: path).load(other)
        #expect(found?.rows == expected?.rows && found?.snapshot?.content == expected?.snapshot?.content)
    }

    @Test(arguments: ["value = x'0103'", "name = 'other'", "checksum = checksum + 1"])
    func `a property whose bytes have changed is damaged, and no other`(change: String) throws {
        let journal = try journal()
        try journal.commit { batch in
            batch.add(.set(property: "clock", value: [1, 2]))
            batch.add(.set(property: "empty", value: []))
        }
        try journal.database().connection.execute("UPDATE properties SET \(change) WHERE name = 'clock'")
        let name = change.contains("other") ? "other" : "clock"
        let damage = failure { _ = try journal.property(name) }
        #expect(damage?.kind == .damaged && damage?.detail.contains("property \"\(name)\"") == true)
        #expect(try journal.property("empty") == [])
        try journal.commit { $0.add(.set(property: name, value: [3])) }
        #expect(try journal.property(name) == [3])
    }

    @Test
    func `a database of an older build is read, and what is added has checksums`() throws {
        let first = try journal()
        try first.close()
        let connection = try SQLiteConnection(path: path + "/journal.sqlite")
        for table in ["journal", "contents", "properties"] {
            try connection.execute("ALTER TABLE \(table) DROP COLUMN checksum")
        }
        connection.close()
        let next = try SQLiteJournal(directory: path)
        #expect(try next.numbers(of: session) == [1, 2, 3])
        try next.append(session, rows: 4...4)
        let counts = "SELECT count(*) * 10 + count(checksum) FROM journal"
        #expect(try next.database().connection.integer(counts) == 51)
        try next.database().connection.execute("UPDATE journal SET content = x'09' WHERE i = 4")
        #expect(failure { _ = try next.load(session) }?.kind == .damaged)
    }

    @Test
    func `a checksum is a CRC-32C, with and without the instruction of the processor`() {
        check(granary_crc32c)
        check(granary_portable_crc32c)
    }

    private func check(_ checksum: (UInt32, UnsafeRawPointer?, Int) -> UInt32) {
        #expect(checksum(0, Array("123456789".utf8), 9) == 0xE306_9283)
        #expect(checksum(0, [UInt8](repeating: 0, count: 32), 32) == 0x8A91_36AA)
        for count in 0...64 {
            let parts = checksum(checksum(0, content, count / 3), Array(content[(count / 3)...]), count - count / 3)
            #expect(parts == checksum(0, content, count) && parts == granary_portable_crc32c(0, content, count))
        }
    }
}
