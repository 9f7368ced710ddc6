/// A command about the stored sessions of a server.
enum SessionsCommand: Equatable {
    case list
    case show(String)
    case export(String)
    case importing(file: String)
    case fork(String, at: UInt64?)
    case release(String)
    case delete(String)
    case deleteAll(machine: String)
    case check
    case backUp(file: String)

    /// The names after `sessions`.
    static let names = ["list", "show", "export", "import", "fork", "release", "delete", "check"]
}

/// A request of a command to the process that has the journal, which is the command itself or a running server.
enum ArchiveRequest: Equatable {
    case list
    case show(String)
    case export(String)
    /// Contains the content of the file.
    case importing(String)
    case fork(String, at: UInt64?)
    case release(String)
    case delete(String)
    /// Contains an absolute path.
    case backUp(String)
    /// Contains the name of a property, for the successor of a server.
    case shapes(String)

    /// The request as words, for the control socket.
    var words: [String] {
        switch self {
        case .list: ["list"]
        case .show(let name): ["show", name]
        case .export(let name): ["export", name]
        case .importing(let content): ["import", content]
        case .fork(let name, let version): ["fork", name] + (version.map { ["\($0)"] } ?? [])
        case .release(let name): ["release", name]
        case .delete(let name): ["delete", name]
        case .backUp(let path): ["backup", path]
        case .shapes(let property): ["shapes", property]
        }
    }

    /// Reads words. Returns nil if they are not a request.
    init?(words: [String]) {
        let name = words.dropFirst().first ?? ""
        switch (words.first, words.count) {
        case ("list", 1): self = .list
        case ("show", 2): self = .show(name)
        case ("export", 2): self = .export(name)
        case ("import", 2): self = .importing(name)
        case ("fork", 2): self = .fork(name, at: nil)
        case ("fork", 3):
            guard let version = UInt64(words[2]) else { return nil }
            self = .fork(name, at: version)
        case ("release", 2): self = .release(name)
        case ("delete", 2): self = .delete(name)
        case ("backup", 2): self = .backUp(name)
        case ("shapes", 2): self = .shapes(name)
        default: return nil
        }
    }
}
