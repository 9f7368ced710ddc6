import Access
import Foundation
import Log
import MachineHost
import SQLiteJournal
import Testing

@testable import Granary

/// The keys in backups, and their restoration.
@Suite struct CopiedKeyTests {
    private let folder: KeyFolder
    private let lines = LogLines()
    private let other = String(repeating: "0b", count: 32)

    init() throws { folder = try KeyFolder() }

    /// Creates a state directory with a journal and key files.
    private func directory(
        _ name: String, keys: [String: String] = ["identity.key": KeyFolder.secret, "signing.keys": KeyFolder.secret],
        isOwned: Bool = true, isRecorded: Bool = true
    ) throws -> String {
        let path = "\(folder.path)/\(name)"
        let journal = try SQLiteJournal(directory: path)
        try journal.commit(SampleSession.batch(isOwned: isOwned), isFlushed: true)
        if isRecorded, let secret = keys["identity.key"] {
            let key = try folder.write(secret, to: "recorded")
            try JournalIdentity(of: journal).record(try IdentityKey(key, nil).fingerprint)
        }
        try journal.close()
        for (file, text) in keys { try folder.write(text, to: "\(name)/\(file)") }
        return path
    }

    private func backUp(_ directory: String, to name: String) throws -> String {
        let journal = try SQLiteJournal(directory: directory)
        defer { try? journal.close() }
        return try ArchiveRequest.backUp("\(folder.path)/\(name)").perform(
            with: DirectJournalAccess(journal), in: directory, opening: SessionSeal())
    }

    /// Creates a state directory with a backup as its database, and files beside it.
    private func restored(_ backup: String, as name: String, keys: [String: String] = [:]) throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: "\(folder.path)/\(backup)", toPath: "\(path)/journal.sqlite")
        for (file, text) in keys { try folder.write(text, to: "\(name)/\(file)") }
        return path
    }

    /// Restores the keys as a server does that starts.
    private func restoreKeys(in directory: String) throws -> [String: [UInt8]] {
        let journal = try SQLiteJournal(directory: directory)
        defer { try? journal.close() }
        try CopiedKey.restore(from: journal, to: directory, log: lines.log)
        return try keys(in: journal)
    }

    /// Returns the keys that a journal contains.
    private func keys(in journal: any Journal) throws -> [String: [UInt8]] {
        var keys: [String: [UInt8]] = [:]
        for key in CopiedKey.allCases { keys[key.name] = try key.content(in: journal) }
        return keys
    }

    private func keys(of directory: String) throws -> [String: [UInt8]] {
        let journal = try SQLiteJournal(directory: directory)
        defer { try? journal.close() }
        return try keys(in: journal)
    }

    @Test func `a backup has the created keys, and the files are created from it in an empty directory`() throws {
        let source = try directory("a")
        #expect(try backUp(source, to: "copy") == "saved \(folder.path)/copy with identity.key and signing.keys")
        #expect(folder.mode(of: "copy") == 0o600)
        #expect(try keys(of: source).isEmpty)
        let target = try restored("copy", as: "b")
        #expect(try restoreKeys(in: target).isEmpty)
        for name in ["identity.key", "signing.keys"] {
            #expect(try folder.text(of: "b/\(name)") == KeyFolder.secret)
            #expect(folder.mode(of: "b/\(name)") == 0o600)
        }
        #expect(lines.all == Array(repeating: "key restored from the backup", count: 2))
        #expect(!folder.names.contains { $0.hasSuffix(".new") })
        let journal = try SQLiteJournal(directory: target)
        try IdentityKey("", target).admit(to: journal)
        // The same backup can be restored any number of times, in the same place, too.
        #expect(try restoreKeys(in: try restored("copy", as: "c")).isEmpty)
        #expect(try folder.text(of: "c/identity.key") == KeyFolder.secret)
    }

    @Test func `a database that is no copy restores nothing`() throws {
        let source = try directory("a", keys: [:])
        #expect(try restoreKeys(in: source).isEmpty)
        #expect(folder.names == ["a"] && lines.all.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: source).filter { $0.contains("key") } == [])
    }

    @Test func `a start that was interrupted is repeated`() throws {
        _ = try backUp(try directory("a"), to: "copy")
        // The files were created, but the keys not erased.
        let target = try restored("copy", as: "b", keys: ["identity.key": KeyFolder.secret])
        #expect(try restoreKeys(in: target).isEmpty)
        #expect(try folder.text(of: "b/signing.keys") == KeyFolder.secret)
        #expect(lines.all == ["key restored from the backup"])
    }

    @Test func `a foreign identity key is refused, and the backup keeps its own until the file was moved`() throws {
        _ = try backUp(try directory("a"), to: "copy")
        let target = try restored("copy", as: "b", keys: ["identity.key": other])
        let error = #expect(throws: OperatorError.self) { try restoreKeys(in: target) }
        #expect(error?.description.hasPrefix("access.identityKey: expected no file at \(target)/identity.key") == true)
        #expect(try keys(of: target).count == 2 && folder.text(of: "b/identity.key") == other)
        try FileManager.default.moveItem(atPath: "\(target)/identity.key", toPath: "\(folder.path)/foreign")
        #expect(try restoreKeys(in: target).isEmpty)
        #expect(try folder.text(of: "b/identity.key") == KeyFolder.secret)
    }

    @Test func `a foreign identity key is kept if no session has an owner`() throws {
        _ = try backUp(try directory("a", isOwned: false), to: "copy")
        let target = try restored("copy", as: "b", keys: ["identity.key": other])
        #expect(try restoreKeys(in: target).isEmpty)
        #expect(try folder.text(of: "b/identity.key") == other)
        try IdentityKey("", target).admit(to: try SQLiteJournal(directory: target))
    }

    @Test func `other signing keys stay, with a warning unless they contain those of the backup`() throws {
        _ = try backUp(try directory("a"), to: "copy")
        for (index, text) in ["\(other)\n\(KeyFolder.secret)\n", other].enumerated() {
            let target = try restored("copy", as: "b\(index)", keys: ["signing.keys": text])
            #expect(try restoreKeys(in: target).isEmpty)
            #expect(try folder.text(of: "b\(index)/signing.keys") == text)
        }
        let warning = "signing keys of the backup not restored, because the file has others"
        #expect(lines.all.filter { $0 == warning }.count == 1)
    }

    @Test(arguments: [("identity.key", "", 0o600), ("signing.keys", KeyFolder.secret, 0o640)])
    func `a file that cannot be used is named, by the restoration and by a backup`(
        name: String, text: String, mode: Int
    ) throws {
        _ = try backUp(try directory("a"), to: "copy")
        let target = try restored("copy", as: "b")
        try folder.write(text, to: "b/\(name)", mode: mode_t(mode))
        let error = #expect(throws: OperatorError.self) { try restoreKeys(in: target) }
        #expect(error?.description.contains("\(target)/\(name)") == true)
        #expect(try keys(of: target).count == 2)
        let source = try directory("c")
        try folder.write(text, to: "c/\(name)", mode: mode_t(mode))
        let failed = #expect(throws: OperatorError.self) { try backUp(source, to: "other") }
        #expect(failed?.description.contains("\(source)/\(name)") == true)
        #expect(!folder.names.contains("other"))
    }

    @Test func `a backup of a backup that no server has opened has the same keys`() throws {
        _ = try backUp(try directory("a"), to: "copy")
        let target = try restored("copy", as: "b", keys: ["identity.key": other])
        #expect(try backUp(target, to: "again").hasSuffix("with identity.key and signing.keys"))
        #expect(try restoreKeys(in: try restored("again", as: "c")).isEmpty)
        #expect(try folder.text(of: "c/identity.key") == KeyFolder.secret)
        // And so has the backup of a server that has restored it.
        _ = try backUp("\(folder.path)/c", to: "third")
        #expect(try keys(of: try restored("third", as: "d")).count == 2)
    }

    @Test func `a backup without access control has no keys`() throws {
        let source = try directory("a", keys: [:], isOwned: false)
        #expect(try backUp(source, to: "copy") == "saved \(folder.path)/copy")
        let target = try restored("copy", as: "b")
        #expect(try restoreKeys(in: target).isEmpty)
        // Access control may begin later.
        let key = try IdentityKey("", target)
        try key.admit(to: try SQLiteJournal(directory: target))
        #expect(key.isNew && folder.mode(of: "b/identity.key") == 0o600)
    }

    @Test func `a backup does not have a configured identity key, nor one that is not used, and says so`() throws {
        let source = try directory("a", keys: ["signing.keys": KeyFolder.secret], isRecorded: false)
        let configured = try folder.write(KeyFolder.secret, to: "configured")
        let journal = try SQLiteJournal(directory: source)
        try IdentityKey(configured, source).admit(to: journal)
        try journal.close()
        let text = "saved \(folder.path)/copy with signing.keys, without the key that identifies the owners"
        #expect(try backUp(source, to: "copy").hasPrefix(text))
        try folder.write(other, to: "a/identity.key")
        #expect(try backUp(source, to: "second").contains("keep the file that access.identityKey names"))
        let target = try restored("second", as: "b")
        #expect(try restoreKeys(in: target).isEmpty)
        let opened = try SQLiteJournal(directory: target)
        #expect(throws: OperatorError.self) { try IdentityKey("", target).admit(to: opened) }
        try IdentityKey(configured, target).admit(to: opened)
    }
}
