/// Thrown when a machine's outputs need more bytes than a turn may produce. Ends the session, not the server.
public struct OutputTooLarge: LoggableError, Equatable, Sendable, CustomStringConvertible {
    /// The limit in bytes.
    public var limit: Int
    /// The name of the output, if a single one is too large.
    public var output: String?

    /// Creates an error.
    public init(limit: Int, output: String? = nil) {
        self.limit = limit
        self.output = output
    }

    /// The error as one line.
    public var description: String {
        let what = output.map { "the output \"\($0)\" takes" } ?? "the outputs take"
        return "\(what) more than \(limit) bytes as JSON, which is the limit (sessions.maxOutputBytes)"
    }
}
