/// What a machine shows takes more bytes than a turn may produce. Ends the session, not the server.
public struct OutputTooLarge: LoggableError, Equatable, Sendable, CustomStringConvertible {
    /// The most bytes that there may be.
    public var limit: Int
    /// The name of the output, where a single one is too large.
    public var output: String?

    /// An error that states the limit.
    public init(limit: Int, output: String? = nil) {
        self.limit = limit
        self.output = output
    }

    /// One line for operators.
    public var description: String {
        let what = output.map { "the output \"\($0)\" takes" } ?? "the outputs take"
        return "\(what) more than \(limit) bytes as JSON, which is the limit (sessions.maxOutputBytes)"
    }
}
