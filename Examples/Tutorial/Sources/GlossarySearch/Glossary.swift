import Combine

/// Explains words.
public protocol Glossary {
    /// Returns a publisher of the explanation of a word, or of `nil` if the word is unknown. It may deliver on any thread.
    func explanation(of word: String) -> AnyPublisher<String?, Never>
}
