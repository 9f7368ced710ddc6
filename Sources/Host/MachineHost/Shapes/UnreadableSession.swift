/// The reason for which this build cannot continue a stored session. The stored session stays unchanged.
enum UnreadableSession: Error, Equatable {
    /// A build with a newer version has stored it.
    case newer(version: Int, known: Int, build: String)
    /// No migration leads from its version to that of this build.
    case noMigration(from: Int)
    /// A migration failed.
    case migrationFailed(from: Int, error: String)
    /// Members whose stored values cannot be decoded.
    case members([String])
    /// The parameters of its creation are not what its machine expects now.
    case parameters(pointers: [String])
    /// It is encrypted with a key that the server does not have.
    case sealed(key: String)
    /// Its machine has secrets, which this server cannot encrypt.
    case noKey(of: [String])
}

extension UnreadableSession: LoggableError, CustomStringConvertible {
    var description: String {
        switch self {
        case .newer(let version, let known, let build):
            "expected a state of version \(known) or older, got version \(version)\(build.isEmpty ? "" : " of build \(build)")"
        case .noMigration(let version): "expected a migration from version \(version), got none"
        case .migrationFailed(let version, let error): "the migration from version \(version) failed: \(error)"
        case .noKey(let names):
            "expected a key for what is secret in the machine, got none: \(names.joined(separator: ", "))"
        case .sealed(let key):
            "expected the key \(key), with which the session is encrypted, got other keys or none"
        case .parameters(let pointers):
            "expected stored parameters of the registered type, got others at \(pointers.joined(separator: ", "))"
        case .members(let keys):
            "expected stored values of the members' types, got others for \(keys.joined(separator: ", "))"
        }
    }
}
