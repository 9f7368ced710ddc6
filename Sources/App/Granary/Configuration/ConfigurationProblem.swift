/// A problem in a configuration and its place.
public struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// The place of the problem, such as `granary.json5:12:5`, `GRANARY_HTTP_PORT` or `--http.port`.
    public var place: String
    /// The expected and the received value. Never contains the value of a secret.
    public var message: String

    /// The place and the message on one line.
    public var description: String { "\(place): \(message)" }
}

/// All problems of a configuration, so that they can be fixed together.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The problems in the order in which they were found. Never empty.
    public var problems: [ConfigurationProblem]

    /// The problems, one per line.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
