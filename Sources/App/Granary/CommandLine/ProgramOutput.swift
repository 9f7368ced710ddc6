import Glibc
import Locking
import Log

/// Standard output and standard error, written without blocking the program.
final class ProgramOutput: Sendable {
    /// How long a command waits at its end until its output has been written.
    static let commandLimit = Duration.seconds(5)
    /// How long a server waits. It is short because the supervisor waits for the server to exit.
    static let serverLimit = Duration.seconds(1)

    /// The number of bytes after which printing waits until they have been written. Below the capacity of the writer, which
    /// drops what does not fit.
    private static let maxUnwritten = 256 << 10

    private let output: OutputWriter
    private let errors: OutputWriter
    /// The number of bytes since printing has last waited.
    private let unwritten = Lock(0)

    /// Creates an output to two descriptors.
    init(output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO) {
        self.output = OutputWriter(descriptor: output)
        self.errors = OutputWriter(descriptor: errors)
    }

    /// Prints lines to standard output. Waits for the reader if there is more text than a server prints, such as an exported
    /// session.
    func print(_ text: String) {
        var rest = (text + "\n")[...]
        while !rest.isEmpty {
            // Characters, so that a piece is text, and one has at least one byte.
            let piece =
                rest.utf8.count <= ProgramOutput.maxUnwritten ? rest : rest.prefix(ProgramOutput.maxUnwritten / 8)
            rest = rest[piece.endIndex...]
            output.write(String(piece))
            let mustWait = unwritten.withLock { count in
                count += piece.utf8.count
                defer { if count >= ProgramOutput.maxUnwritten { count = 0 } }
                return count >= ProgramOutput.maxUnwritten
            }
            if mustWait { output.flush(within: ProgramOutput.commandLimit) }
        }
    }

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
