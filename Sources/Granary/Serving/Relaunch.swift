import CLinux
import Glibc
import HTTPServer

/// How this program is started once more, as it was started: what lies at its path by then, with the same arguments and the
/// same environment.
struct Relaunch: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]

    /// From what the program was started with. To be made when it starts: later another file may lie at its path.
    init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
        path = Relaunch.path(of: arguments.first ?? "", search: environment["PATH"] ?? "")
    }

    /// The path by which the program was found, links in it unresolved: whoever deploys by turning a link round wants what
    /// it leads to by then.
    private static func path(of name: String, search: String) -> String {
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

    /// Starts it with a line to this process and the sockets. Answers its process.
    func start(line: Int32, _ sockets: InheritedSockets) throws(TakeoverError) -> Int32 {
        let descriptors = [line] + sockets.sockets.map(\.descriptor)
        let pairs = variables(handingOver: sockets).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let result = CStrings.with(arguments) { arguments in
            CStrings.with(pairs) { granary_spawn(path, arguments, $0, descriptors, Int32(descriptors.count)) }
        }
        guard result > 0 else {
            let reason = String(cString: granary_error_text(-result))
            throw TakeoverError(description: "\(path) cannot be started: \(reason)")
        }
        return result
    }

    /// The environment of the new program.
    func variables(handingOver sockets: InheritedSockets) -> [String: String] {
        var variables = environment
        // A supervisor's sockets are handed on like others.
        for name in InheritedSockets.supervisorVariables { variables[name] = nil }
        variables[Predecessor.variable] = Predecessor.text(sockets, first: 3)
        return variables
    }
}

/// Texts as a C program takes them.
private enum CStrings {
    static func with<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { pointers in
            guard let start = pointers.baseAddress else {
                preconditionFailure("a list that ends with nil has a beginning")
            }
            return body(start)
        }
    }
}
