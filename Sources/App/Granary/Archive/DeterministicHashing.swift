import Glibc

/// The order of sets and dictionaries in a replay.
enum DeterministicHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Starts the program again with hashing that is the same in all processes, if a command requires that.
    ///
    /// Returns if the command does not, or if the program has been started in this way.
    // The runtime reads the variable once, before the first line of the program.
    static func begin(forCommand command: String?) {
        guard command == "replay", getenv(variable) == nil else { return }
        setenv(variable, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        execv("/proc/self/exe", &arguments)
        // Replays also work without it: only the order of elements may then differ between two replays.
    }
}
