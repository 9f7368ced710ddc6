import CLinux
import Glibc

/// A program that this process has started.
///
/// Unlike Foundation's `Process`, it inherits only named descriptors, can lead a group, and needs no run loop.
public struct ChildProcess: Sendable {
    /// The identifier of the process. Not reused for another process before ``waitForExit()`` has returned.
    public let identifier: Int32

    /// A program could not be started.
    public struct StartError: Error, Equatable, CustomStringConvertible {
        /// Names the program and the reason.
        public let description: String
    }

    /// The standard input, output and errors of a child process.
    public struct StandardDescriptors: Sendable {
        /// The descriptors of this process that the child receives; nil for the same as this process.
        public var input, output, errors: Int32?

        /// Creates descriptors, which are those of this process unless stated.
        public init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    /// Refers to a child process of this process.
    public init(identifier: Int32) { self.identifier = identifier }

    /// Starts a program. It inherits no descriptors except those that are named here.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments. The first one is its name.
    ///   - environment: Its environment variables.
    ///   - standard: Its standard input, output and errors.
    ///   - descriptors: The descriptors that it has as 3 and following.
    ///   - leadsGroup: Whether Control-C in the terminal of this process spares it.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String: String],
        standard: StandardDescriptors = StandardDescriptors(), descriptors: [Int32] = [], leadsGroup: Bool = false
    ) throws(StartError) -> ChildProcess {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let result = CStrings.with(arguments) { arguments in
            CStrings.with(variables) { variables in
                descriptors.withUnsafeBufferPointer { descriptors in
                    var child = granary_child(
                        standard: (standard.input ?? -1, standard.output ?? -1, standard.errors ?? -1),
                        descriptors: descriptors.baseAddress, count: Int32(descriptors.count), leads_group: leadsGroup)
                    return granary_spawn(path, arguments, variables, &child)
                }
            }
        }
        guard result > 0 else {
            let reason = String(cString: granary_error_text(-result))
            throw StartError(description: "\(path) could not be started: \(reason)")
        }
        return ChildProcess(identifier: result)
    }

    /// Sends a signal. Must not be called after ``waitForExit()``.
    public func send(_ signal: Int32) { kill(identifier, signal) }

    /// Blocks until the process has ended, and returns its exit status as shells report it: 128 and the number of the
    /// signal if it was ended by one. Must be called once.
    public func waitForExit() -> Int {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        return Int(signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }
}

/// Null-terminated arrays of C strings.
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
