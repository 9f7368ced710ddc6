import CLinux
import Foundation
import Glibc
import ProcessLifecycle

/// Programs that `granary dev` runs.
enum Program {
    /// Starts a program without input, which Control-C in the terminal does not end.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments, without its name.
    ///   - environment: Its environment variables.
    ///   - output: Its standard output; nil for that of this process.
    ///   - errors: Its standard error; nil for that of this process.
    static func start(
        _ path: String, _ arguments: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        output: Int32?, errors: Int32?
    ) throws(DevelopmentError) -> ChildProcess {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard nothing >= 0 else { throw DevelopmentError("\(path) could not be started: \(reason())") }
        defer { close(nothing) }
        do {
            return try ChildProcess.start(
                path, [path] + arguments, environment: environment,
                standard: ChildProcess.StandardDescriptors(input: nothing, output: output, errors: errors),
                leadsGroup: true)
        } catch {
            throw DevelopmentError(error.description)
        }
    }

    /// Creates a pipe: what a child process writes can be read.
    static func pipe() throws(DevelopmentError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw DevelopmentError("a pipe could not be opened: \(reason())") }
        // Other children inherit no descriptor that is not named, so this need not happen at once.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func reason() -> String { String(cString: granary_error_text(errno)) }
}
