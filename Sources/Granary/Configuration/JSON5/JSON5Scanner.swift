/// Scans the tokens of a JSON5 document and tracks their positions.
struct JSON5Scanner {
    private let text: [Character]
    private var index = 0
    private(set) var position = SourcePosition(line: 1, column: 1)

    init(_ text: String) {
        self.text = Array(text)
    }

    var isAtEnd: Bool { index == text.count }

    /// The next character, or `nil` at the end of the text.
    var next: Character? { isAtEnd ? nil : text[index] }

    /// Consumes `character` if it is the next one. Returns whether it was.
    mutating func take(_ character: Character) -> Bool {
        guard next == character else { return false }
        advance()
        return true
    }

    /// Returns the error that `what` was expected at the current position.
    func expected(_ what: String) -> JSON5Locator.SyntaxError {
        let found = next.map { $0.isNewline ? "the end of the line" : "'\($0)'" } ?? "the end of the file"
        return JSON5Locator.SyntaxError(position: position, message: "expected \(what), got \(found)")
    }

    /// Skips white space and comments.
    mutating func skipBlanks() throws(JSON5Locator.SyntaxError) {
        while let character = next {
            if character.isWhitespace || character == "\u{FEFF}" {
                advance()
            } else if character == "/" {
                try skipComment()
            } else {
                return
            }
        }
    }

    /// Scans a quoted key or an identifier.
    mutating func key() throws(JSON5Locator.SyntaxError) -> String {
        if next == "\"" || next == "'" { return try string() }
        var key = ""
        while let character = next, character.isLetter || character.isNumber || character == "_" || character == "$" {
            key.append(character)
            advance()
        }
        guard let first = key.first, !first.isNumber else { throw expected("a key") }
        return key
    }

    /// Scans a string in single or double quotes. Resolves only those escapes that a key can need.
    mutating func string() throws(JSON5Locator.SyntaxError) -> String {
        let quote = next
        let start = self
        var content = ""
        advance()
        while let character = next, character != quote {
            guard !character.isNewline else { throw expected("the closing quote of the string") }
            advance()
            if character == "\\" {
                content.append(next ?? "\\")
                if !isAtEnd { advance() }
            } else {
                content.append(character)
            }
        }
        guard !isAtEnd else { throw start.expected("a string that ends with \(quote.map(String.init) ?? "")") }
        advance()
        return content
    }

    /// Scans a number, `true`, `false`, `null`, `Infinity` or `NaN`.
    mutating func literal() throws(JSON5Locator.SyntaxError) {
        let start = self
        var word = ""
        while let character = next, character.isLetter || character.isNumber || "+-.".contains(character) {
            word.append(character)
            advance()
        }
        let names: Set = ["true", "false", "null", "Infinity", "NaN"]
        let isNumber = word.contains(where: \.isNumber) && word.first?.isLetter == false
        guard isNumber || names.contains(word.drop { $0 == "+" || $0 == "-" }.description) else {
            throw start.expected("a value")
        }
    }

    private mutating func skipComment() throws(JSON5Locator.SyntaxError) {
        let start = self
        advance()
        if take("/") {
            while let character = next, !character.isNewline {
                advance()
            }
            return
        }
        guard take("*") else { throw start.expected("a comment, // or /*") }
        while !isAtEnd {
            if take("*") {
                if take("/") { return }
            } else {
                advance()
            }
        }
        throw start.expected("a comment that ends with */")
    }

    private mutating func advance() {
        if text[index].isNewline {
            position = SourcePosition(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        index += 1
    }
}
