/// One thing that is wrong with what the operator wrote, and where.
public struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// Where it was written: `granary.json5:12:5`, `GRANARY_HTTP_PORT`, `--http.port`.
    public var place: String
    /// What was expected and what came; never the value of a secret.
    public var message: String

    /// Place and message in one line.
    public var description: String { "\(place): \(message)" }
}

/// Everything that is wrong with a configuration, so that it can be put right in one go.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The problems in the order in which they were met, never none.
    public var problems: [ConfigurationProblem]

    /// One problem a line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
