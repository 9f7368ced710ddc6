/// The name and the version of a program.
struct ProgramIdentity: Sendable, Equatable {
    /// The name, for messages and the help.
    let name: String
    /// The version, if the program states one.
    let version: String?

    /// Creates an identity. The default name is the file name of the executable.
    init(name: String?, version: String?, executable: String) {
        self.name = name ?? executable.split(separator: "/").last.map(String.init) ?? "granary"
        self.version = version
    }

    /// The output of `--version`. A program without a version states that of this package.
    var versionText: String {
        version.map { "\(name) \($0)" } ?? "\(name) (Granary \(GranaryVersion.current))"
    }

    /// The name at the beginning of the text that the server prints at its start.
    var startupName: String {
        version.map { "\(name) \($0)" } ?? name
    }
}
