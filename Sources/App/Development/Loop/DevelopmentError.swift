/// The reason why `granary dev` cannot begin.
public struct DevelopmentError: Error, Equatable, CustomStringConvertible {
    /// A message that states what was expected and what was found.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
