import Testing

@testable import MachineHost

extension SecretKey {
    /// A key whose bytes are all the same.
    static func repeating(_ byte: UInt8) throws -> SecretKey {
        try #require(SecretKey(bytes: Array(repeating: byte, count: 32)))
    }
}

/// The encryption of rows and snapshots.
struct SealedContentTests {
    private let session = StoredSessionID(high: 1, low: 2)
    private let clear = Array("before:the secret".utf8)

    private func sealed(_ kind: SealedContent.Kind = .row, key: UInt8 = 1) throws -> [UInt8] {
        var bytes = clear
        SealedContent.seal(&bytes, from: 7, kind, of: session, with: try .repeating(key))
        #expect(bytes.starts(with: Array("before:".utf8)))
        return Array(bytes.dropFirst(7))
    }

    @Test(arguments: [SealedContent.Kind.row, .snapshot])
    func `what was encrypted is decrypted`(kind: SealedContent.Kind) throws {
        let key = try SecretKey.repeating(1)
        let content = try #require(SealedContent(try sealed(kind)[...]))
        #expect(content.keyID == key.id)
        #expect(try content.open(kind, of: session, with: key) == Array("the secret".utf8))
    }

    @Test func `an empty content is decrypted`() throws {
        var bytes: [UInt8] = []
        SealedContent.seal(&bytes, from: 0, .row, of: session, with: try .repeating(1))
        #expect(try SealedContent(bytes[...])?.open(.row, of: session, with: try .repeating(1)) == [])
    }

    @Test func `the same content is encrypted differently each time`() throws {
        #expect(try sealed() != sealed())
    }

    @Test func `each change is found`() throws {
        let bytes = try sealed()
        let key = try SecretKey.repeating(1)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            // Without its marker, it is not encrypted content at all.
            guard let content = SealedContent(changed[...]) else { continue }
            #expect(throws: RecordReader.Damaged.self) { try content.open(.row, of: session, with: key) }
        }
        let content = try #require(SealedContent(bytes.dropLast()))
        #expect(throws: RecordReader.Damaged.self) { try content.open(.row, of: session, with: key) }
    }

    @Test func `the content of another session, kind or key is not decrypted`() throws {
        let content = try #require(SealedContent(try sealed()[...]))
        let key = try SecretKey.repeating(1)
        let other = StoredSessionID(high: 1, low: 3)
        #expect(throws: RecordReader.Damaged.self) { try content.open(.row, of: other, with: key) }
        #expect(throws: RecordReader.Damaged.self) { try content.open(.snapshot, of: session, with: key) }
        #expect(throws: RecordReader.Damaged.self) { try content.open(.row, of: session, with: try .repeating(2)) }
    }

    @Test func `rows and snapshots in clear text are not taken for encrypted ones`() throws {
        var row: [UInt8] = []
        TurnRecord(time: 1, version: 1).append(to: &row)
        let stored = StoredSession(machine: "m", epoch: Epoch(bits: 1), created: 1, lastInput: 2, version: 3)
        #expect(SealedContent(row[...]) == nil)
        #expect(SealedContent(stored.content[...]) == nil)
        #expect(SealedContent([]) == nil)
    }

    @Test func `a key does not show its bytes`() throws {
        let key = try SecretKey.repeating(0x41)
        for text in ["\(key)", String(reflecting: key), "\(try #require(SecretKeys([key])))"] {
            #expect(!text.contains("AAAA") && !text.contains("65, 65"), "\(text)")
        }
        #expect(SecretKey(bytes: [1, 2, 3]) == nil)
        #expect(SecretKeys([]) == nil)
        #expect(try SecretKey.repeating(1).id != SecretKey.repeating(2).id)
    }
}
