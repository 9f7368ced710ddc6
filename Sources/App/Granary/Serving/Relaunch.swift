import Glibc
import HTTPServer
import ProcessLifecycle

/// The path, arguments and environment for starting this program again.
struct Relaunch: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]

    /// Captures how the program was started. Must be created at the start: a deployment may replace the file at its
    /// path later.
    init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
        path = Relaunch.path(of: arguments.first ?? "", search: environment["PATH"] ?? "")
    }

    /// Returns the path through which the program was found.
    private static func path(of name: String, search: String) -> String {
        // Symbolic links are not resolved: a deployment may switch a link, and the successor must be the program that
        // it refers to at that time.
        let running = "/proc/self/exe"
        let candidates: [String] =
            name.contains("/")
            ? [absolute(name)] : search.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        if let found = candidates.first(where: { isSame($0, running) }) { return found }
        return target(of: running) ?? name
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    private static func target(of link: String) -> String? {
        let found = realpath(link, nil)
        defer { free(found) }
        return found.map { String(cString: $0) }
    }

    /// Starts the program with a channel to this process and the sockets, and returns the process identifier.
    func start(channel: Int32, _ sockets: InheritedSockets) throws(OperatorError) -> Int32 {
        let descriptors = [channel] + sockets.sockets.map(\.descriptor)
        do {
            return try ChildProcess.start(
                path, arguments, environment: variables(handingOver: sockets), descriptors: descriptors
            ).identifier
        } catch {
            throw OperatorError("\(error)")
        }
    }

    /// Returns the environment of the successor.
    func variables(handingOver sockets: InheritedSockets) -> [String: String] {
        var variables = environment
        // The successor receives a supervisor's sockets from this server, like all others.
        for name in InheritedSockets.supervisorVariables { variables[name] = nil }
        variables[Predecessor.variable] = Predecessor.text(sockets, first: 3)
        return variables
    }
}
