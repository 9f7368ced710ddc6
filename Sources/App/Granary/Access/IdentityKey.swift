import Access
import Glibc
import MachineHost

/// The key that identifies the owners of stored sessions, and the file that it comes from.
///
/// A state directory without a key gets a new one, but not before a journal has accepted it: in the place of a key that was lost, the
/// new one would hide the sessions from their owners, and the next start could not tell them apart.
struct IdentityKey: Sendable {
    let hasher: PrincipalHasher
    /// The fingerprint of the key, which a journal records.
    let fingerprint: IdentityFingerprint
    /// The path of its file; nil if the key ends with the process.
    private let path: String?
    /// The directory in which a new key is saved, and the key; nil if the key is in its file.
    private let place: (directory: String, secret: SecretBytes)?

    /// Whether the key has been made because the state directory has none.
    var isNew: Bool { place != nil }

    /// Reads the key, or makes one. Creates no file.
    ///
    /// - Parameters:
    ///   - configured: The configured path; empty for the file in the state directory.
    ///   - directory: The state directory. Without one, sessions end with the process, and so may the key.
    /// - Throws: If there is a file that cannot be used, or the configured one does not exist.
    init(_ configured: String, _ directory: String?) throws(OperatorError) {
        let path = configured.isEmpty ? directory.map { "\($0)/\(AccessPlan.identityFile)" } : configured
        if let path, !configured.isEmpty || access(path, F_OK) == 0 {
            self.init(try KeyFile(path: path, key: AccessPlan.identityKey).identityKey(), from: path)
        } else {
            let secret = SecretBytes.random()
            self.init(secret, from: path, savedIn: directory.map { ($0, secret) })
        }
    }

    /// Creates a key that was read from a file, or will be in it.
    init(_ secret: SecretBytes, from path: String) {
        self.init(secret, from: path, savedIn: nil)
    }

    private init(
        _ secret: SecretBytes, from path: String?, savedIn place: (directory: String, secret: SecretBytes)?
    ) {
        hasher = PrincipalHasher(key: secret)
        fingerprint = IdentityFingerprint(of: secret)
        self.path = path
        self.place = place
    }

    /// Has a journal accept the key, before its sessions are used. Then the key is saved if it is new, and its fingerprint recorded.
    ///
    /// - Throws: `OperatorError` if another key identifies the owners of the sessions, or the error of the journal.
    func admit(to journal: any Journal) throws {
        if let refusal = try refusal(by: journal) { throw refusal }
        // The file first: if the process ends here, the next one finds a key in a journal that has no owners.
        try save()
        try JournalIdentity(of: journal).record(fingerprint)
    }

    /// Returns why the key cannot be used with a journal; nil if it can.
    ///
    /// - Throws: The error of the journal.
    func refusal(by journal: any Journal) throws -> OperatorError? {
        let known = try JournalIdentity(of: journal)
        guard try !known.accepts(fingerprint, isNew: isNew) else { return nil }
        let expected = known.fingerprint.map { " with the fingerprint \($0)" } ?? ""
        let found = isNew ? "no such file" : "one with the fingerprint \(fingerprint)"
        return OperatorError(
            "\(AccessPlan.identityKey): expected the key\(expected) in \(path ?? "a file"), because it identifies the owners of "
                + "the stored sessions, got \(found); with another key, they would lose their sessions. Put the file back, "
                + "or delete the sessions (`sessions delete --machine NAME`) to begin with another key")
    }

    private func save() throws(OperatorError) {
        guard let place else { return }
        let isSaved = try CreatedKeyFile.create(
            AccessPlan.identityFile, in: place.directory, key: AccessPlan.identityKey
        ) { CreatedKeyFile.text(of: place.secret) }
        guard !isSaved else { return }
        throw OperatorError(
            "\(AccessPlan.identityKey): expected no file at \(path ?? place.directory), because there was none when the server "
                + "started, but another process has created one; start the server again")
    }
}
