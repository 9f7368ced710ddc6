import CPostgreSQL
import MachineHost

/// The address of a database: a connection URI of libpq, which may contain a password.
public struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// The schemes of connection URIs.
    public static let schemes = ["postgresql://", "postgres://"]

    /// The version of the client library that this process has loaded.
    public static var libraryVersion: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }

    let uri: String
    /// The user, the hosts and the name of the database, without the password and the options.
    public let description: String

    /// Creates an address.
    ///
    /// - Parameter uri: A connection URI, such as `postgresql://granary@db.example.com/granary`. What it leaves out is in the environment
    ///   variables of libpq, such as `PGPASSFILE`.
    /// - Throws: `JournalError(.unsupported)` if the text is not a connection URI. The error contains no part of it.
    public init(_ uri: String) throws {
        // The message of libpq is not shown: it quotes what it takes for a port or an option, which may be a part of a password.
        let invalid = JournalError(
            .unsupported,
            "expected a connection URI such as postgresql://granary@db.example.com/granary, got an invalid one; "
                + "characters of a password other than letters and digits must be percent-encoded")
        guard Self.schemes.contains(where: uri.hasPrefix), let options = PQconninfoParse(uri, nil) else {
            throw invalid
        }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // The rest of a password with an unescaped "@" would be taken for a host, and appear in messages.
        guard [found["host"], found["user"], found["dbname"]].allSatisfy({ $0?.contains("@") != true }) else {
            throw invalid
        }
        self.uri = uri
        description = Self.text(found)
    }

    private static func text(_ options: [String: String]) -> String {
        let user = options["user"].map { "\($0)@" } ?? ""
        let ports = options["port"].map { ":\($0)" } ?? ""
        return "postgresql://\(user)\(options["host"] ?? "")\(ports)/\(options["dbname"] ?? "")"
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
