/// A piece of Swift text: a word, a literal, or a punctuation mark.
struct Token: Equatable {
    enum Kind: Equatable {
        /// An identifier or keyword, possibly in backticks, or a name that starts with `$`, `@` or `#`.
        case word
        /// A string literal, with its interpolations, or a regular expression.
        case string
        case number
        /// One character, or `->`.
        case mark
    }

    let kind: Kind
    let text: String
    /// The position of the first byte in the source.
    let start: Int
    /// The position after the last byte.
    let end: Int
    /// Whether only white space and comments stand between the start of its line and the token.
    let isFirstOnLine: Bool
    /// Whether white space or a comment stands before the token.
    let hasSpaceBefore: Bool

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
    func isWord(_ word: String) -> Bool { kind == .word && text == word }
}
