/// The reason why a ``GitHubConfiguration`` is invalid. The description contains no secrets.
public struct GitHubConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
