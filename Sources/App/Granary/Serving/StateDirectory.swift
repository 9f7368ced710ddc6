/// The directory in which a server stores its sessions.
enum StateDirectory {
    /// Returns the directory.
    ///
    /// - Parameters:
    ///   - configured: The configured directory; empty for the default.
    ///   - program: The name of the program.
    ///   - environment: The environment variables.
    /// - Throws: If there is no default, because the environment names no home directory.
    static func path(
        configured: String, program: String, environment: [String: String]
    ) throws(StateDirectoryError) -> String {
        if !configured.isEmpty { return configured }
        // systemd sets the variable for `StateDirectory=`, with colons between several directories.
        if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
        // XDG Base Directory Specification: a relative path is invalid and must be ignored.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return "\(home)/\(program)" }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.local/state/\(program)" }
        throw StateDirectoryError()
    }
}

/// Thrown when there is no directory for sessions.
struct StateDirectoryError: Error, CustomStringConvertible {
    /// The machine whose registration requests stored sessions; nil if the configuration does.
    var machine: String?

    var description: String {
        let advice =
            machine.map { "the registration of the machine \"\($0)\" requests that its sessions are stored" }
            ?? "set sessions.durability to memory for sessions that end with the process"
        return "expected a directory for sessions in sessions.stateDirectory, STATE_DIRECTORY, XDG_STATE_HOME or HOME, "
            + "got none; \(advice)"
    }
}
