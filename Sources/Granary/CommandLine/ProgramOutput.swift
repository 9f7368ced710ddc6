import Glibc
import Log

/// Where a program prints: standard output and standard error, neither of which it waits for while it runs.
final class ProgramOutput: Sendable {
    /// How long a command waits at its end for what it has printed to be read.
    static let commandLimit = Duration.seconds(5)
    /// How long a server does, which its supervisor waits for.
    static let serverLimit = Duration.seconds(1)

    private let output: OutputWriter
    private let errors: OutputWriter

    /// Prints to these descriptors.
    init(output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO) {
        self.output = OutputWriter(descriptor: output)
        self.errors = OutputWriter(descriptor: errors)
    }

    /// Prints a result, a line or several.
    func print(_ text: String) { output.write(text + "\n") }

    /// Prints what is wrong, a line or several.
    func complain(_ text: String) { errors.write(text + "\n") }

    /// Waits until everything has been printed, but no longer than the limit.
    ///
    /// - Returns: Why results were lost; `nil` if they were not, or if their reader has closed the pipe, which is how a reader
    ///   says that it has had enough.
    func finish(_ limit: Duration) -> String? {
        let isPrinted = output.flush(within: limit)
        errors.flush(within: limit)
        switch output.error {
        case EPIPE?: return nil
        case let error?: return String(cString: strerror(error))
        case nil: return isPrinted ? nil : "nobody reads it"
        }
    }
}
