/// What is wrong with a ``GitHubConfiguration``, in a sentence without secrets.
public struct GitHubConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
