/// An error of the configuration of access control, of a key file, or of a key set.
public struct AccessConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The expected and the received value, as a sentence. Contains no secrets.
    public let description: String

    init(_ description: String) { self.description = description }
}
