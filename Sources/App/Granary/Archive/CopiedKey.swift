import Access
import Glibc
import Log
import MachineHost
import SQLiteJournal

/// A key file of the state directory that a copy of its journal contains.
///
/// Without these keys, a restored copy would lose every session that has an owner. Keys at configured paths are the operator's,
/// and no part of a copy.
enum CopiedKey: CaseIterable {
    /// The key that identifies the owners of sessions.
    case identity
    /// The keys that sign cookies and tickets.
    case signing

    var name: String {
        switch self {
        case .identity: AccessPlan.identityFile
        case .signing: AccessPlan.signingFile
        }
    }

    /// The property of the copy with the content of the file.
    var property: String { "keys/\(name)" }

    private var configurationKey: String {
        switch self {
        case .identity: AccessPlan.identityKey
        case .signing: AccessPlan.signingKey
        }
    }

    /// Returns the content of the file in a journal that is a copy; nil if it is not a copy, or the file has been created from it.
    func content(in journal: any Journal) throws -> [UInt8]? {
        guard let content = try journal.property(property), !content.isEmpty else { return nil }
        return content
    }

    /// Returns the content of the file in the state directory; nil if it does not exist.
    ///
    /// - Throws: If it cannot be used: a copy would not contain what it needs.
    fileprivate func content(of directory: String) throws(OperatorError) -> [UInt8]? {
        let file = file(in: directory)
        guard access(file.path, F_OK) == 0 else { return nil }
        let content = try file.content(isPrivate: true)
        _ = try file.secrets(in: content)
        return content
    }

    fileprivate func file(in directory: String) -> KeyFile {
        KeyFile(path: "\(directory)/\(name)", key: configurationKey)
    }

    /// The file of a copy in a directory, for messages.
    private func copy(in directory: String) -> KeyFile {
        KeyFile(path: "\(name) of the backup in \(directory)", key: configurationKey)
    }

    /// Returns the identity key of a copy in a directory; nil if it has none.
    static func identityKey(in journal: any Journal, of directory: String) throws -> SecretBytes? {
        try identity.content(in: journal).map { try identity.copy(in: directory).identityKey(in: $0) }
    }
}

extension CopiedKey {
    /// Creates the key files that do not exist from a journal that is a copy, and erases the keys in the journal.
    ///
    /// - Parameter journal: The journal, before any session is used.
    /// - Throws: `OperatorError` if a file cannot be used, or has an identity key with which the owners of the sessions would lose
    ///   them. Then the journal keeps the keys.
    static func restore(from journal: SQLiteJournal, to directory: String, log: Log) throws {
        var restored: [String] = []
        for key in allCases {
            guard let content = try key.content(in: journal) else { continue }
            try key.restore(content, of: journal, to: directory, log)
            restored.append(key.property)
        }
        guard !restored.isEmpty else { return }
        // Not before all files are on the disk, also those of a process that has ended here: the next one finds the same keys.
        try CreatedKeyFile.synchronize(directory, for: AccessPlan.identityKey)
        try journal.erase(restored)
    }

    private func restore(_ content: [UInt8], of journal: SQLiteJournal, to directory: String, _ log: Log) throws {
        let path = file(in: directory).path
        guard
            try CreatedKeyFile.create(
                name, in: directory, key: configurationKey, content: { SecretBytes(copying: content) })
        else { return try compare(content, of: journal, with: directory, log) }
        log(.info, "key restored from the backup", ["path": .text(path)])
    }

    /// Compares the content of a copy with the file that exists.
    private func compare(_ content: [UInt8], of journal: SQLiteJournal, with directory: String, _ log: Log) throws {
        let file = file(in: directory)
        switch self {
        case .identity:
            let expected = IdentityFingerprint(of: try copy(in: directory).identityKey(in: content))
            let found = IdentityFingerprint(of: try file.identityKey())
            guard expected != found, try JournalIdentity(of: journal).hasOwners() else { return }
            throw OperatorError(
                "\(configurationKey): expected no file at \(file.path), or the key with the fingerprint \(expected), which "
                    + "identifies the owners of the sessions in the backup that is restored, got the key with the fingerprint "
                    + "\(found); with it, they would lose their sessions. Move the file away: the server creates it from the "
                    + "backup")
        case .signing:
            let (copied, found) = (try copy(in: directory).secrets(in: content), Set(try file.secrets()))
            guard !found.isSuperset(of: copied) else { return }
            // Not an error, and not added to the file: an operator may have replaced a key because others knew it.
            log(
                .warning, "signing keys of the backup not restored, because the file has others",
                ["path": .text(file.path)])
        }
    }
}

/// The keys of a copy that is being written.
struct CopiedKeys {
    /// The properties that the copy has in addition.
    let properties: [String: [UInt8]]
    /// The keys that the copy contains and lacks, as the end of a sentence; empty if it needs no keys.
    let text: String

    /// Reads the keys for a copy of a journal.
    ///
    /// - Parameter directory: The directory of the journal.
    /// - Throws: `OperatorError` if a file cannot be used, or the error of the journal.
    init(for journal: any Journal, in directory: String) throws {
        var (properties, names): ([String: [UInt8]], [String]) = ([:], [])
        let identity = try JournalIdentity(of: journal).fingerprint
        for key in CopiedKey.allCases {
            // A copy that no server has opened: its keys belong to its sessions, whatever is in the directory.
            if try key.content(in: journal) == nil {
                guard let content = try key.content(of: directory),
                    try key == .signing || CopiedKeys.fits(content, of: directory, identity)
                else { continue }
                properties[key.property] = content
            }
            names.append(key.name)
        }
        self.properties = properties
        let lacksIdentity = identity != nil && !names.contains(CopiedKey.identity.name)
        text =
            (names.isEmpty ? "" : " with \(names.joined(separator: " and "))")
            + (lacksIdentity
                ? ", without the key that identifies the owners of its sessions: keep the file that "
                    + "\(AccessPlan.identityKey) names, too" : "")
    }

    /// Returns whether a key is the one that identifies the owners of a journal's sessions. A file that is not used may have another.
    private static func fits(
        _ content: [UInt8], of directory: String, _ identity: IdentityFingerprint?
    ) throws(OperatorError) -> Bool {
        guard let identity else { return true }
        return IdentityFingerprint(of: try CopiedKey.identity.file(in: directory).identityKey(in: content)) == identity
    }
}
