import Glibc
import Log

/// Standard output and standard error, written without blocking the program.
final class ProgramOutput: Sendable {
    /// How long a command waits at its end until its output has been written.
    static let commandLimit = Duration.seconds(5)
    /// How long a server waits. It is short because the supervisor waits for the server to exit.
    static let serverLimit = Duration.seconds(1)

    private let output: OutputWriter
    private let errors: OutputWriter

    /// Creates an output to two descriptors.
    init(output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO) {
        self.output = OutputWriter(descriptor: output)
        self.errors = OutputWriter(descriptor: errors)
    }

    /// Prints lines to standard output.
    func print(_ text: String) { output.write(text + "\n") }

    /// Prints lines to standard error.
    func printError(_ text: String) { errors.write(text + "\n") }

    /// Waits until all output has been written, within a time limit.
    ///
    /// - Returns: The reason why output was lost, or `nil` if none was. A closed pipe is not an error, because readers
    ///   such as `head` close it deliberately.
    func finish(_ limit: Duration) -> String? {
        let isPrinted = output.flush(within: limit)
        errors.flush(within: limit)
        switch output.error {
        case EPIPE?: return nil
        case let error?: return String(cString: strerror(error))
        case nil: return isPrinted ? nil : "its reader has stalled"
        }
    }
}
