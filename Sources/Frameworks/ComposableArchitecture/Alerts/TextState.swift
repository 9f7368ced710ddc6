/// A text of an alert or a dialog, as data.
///
/// It has no style: a server sends the characters, and the view of the client decides how to show them.
public struct TextState: Hashable, Sendable {
    private let content: String

    /// Creates a text from characters.
    public init<S: StringProtocol>(_ content: S) {
        self.content = String(content)
    }

    /// Creates a text that is never looked up in a table of translations. Here, no text is.
    public init(verbatim content: String) {
        self.content = content
    }

    /// Returns a text followed by another one.
    public static func + (first: TextState, second: TextState) -> TextState {
        TextState(first.content + second.content)
    }

    fileprivate var text: String { content }
}

extension String {
    /// Creates a string with the characters of a text.
    public init(state: TextState) {
        self = state.text
    }
}

extension TextState: ExpressibleByStringInterpolation {
    /// Creates a text from a literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension TextState: CustomStringConvertible {
    /// The characters.
    public var description: String { text }
}

extension TextState: CustomDebugOutputConvertible {
    /// The characters in quotation marks.
    public var debugOutput: String { text.debugDescription }
}

extension TextState: Codable {
    /// Decodes a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
