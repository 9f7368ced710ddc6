/// Splits Swift text into tokens. Comments are skipped.
///
/// It knows as much of the grammar as the boundaries of declarations need: text inside strings and comments must not be taken
/// for brackets or keywords. Text is not validated, because the compiler has parsed it before it calls a macro.
struct Lexer {
    private let bytes: [UInt8]
    private var place = 0
    private var isLineStart = true
    private var hasSpace = false

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func tokens(of text: String) -> [Token] {
        var lexer = Lexer(text)
        var tokens: [Token] = []
        while let token = lexer.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() -> Token? {
        skipTrivia()
        guard place < bytes.count else { return nil }
        let start = place
        let kind = scan()
        // A text that ends within a literal.
        place = min(place, bytes.count)
        defer { (isLineStart, hasSpace) = (false, false) }
        return Token(
            kind: kind, text: String(decoding: bytes[start..<place], as: UTF8.self), start: start, end: place,
            isFirstOnLine: isLineStart, hasSpaceBefore: hasSpace || start == 0)
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        place + offset < bytes.count ? bytes[place + offset] : nil
    }

    private func isAt(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard place + length <= bytes.count else { return false }
        return (0..<length).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
    }

    private mutating func skipTrivia() {
        while let current = byte() {
            if current == 0x0A || current == 0x0D {
                isLineStart = true
                place += 1
            } else if current == 0x20 || current == 0x09 {
                place += 1
            } else if isAt("//") {
                while let other = byte(), other != 0x0A { place += 1 }
            } else if isAt("/*") {
                skipBlockComment()
            } else {
                return
            }
            hasSpace = true
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                place += 2
            } else if isAt("*/") {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < bytes.count
    }

    private mutating func scan() -> Token.Kind {
        guard let first = byte() else { return .mark }
        if first == UInt8(ascii: "\"") || isRawString() {
            skipString()
            return .string
        }
        if let end = endOfRegularExpression() {
            place = end
            return .string
        }
        if first == UInt8(ascii: "`") {
            place += 1
            while let current = byte(), current != UInt8(ascii: "`") { place += 1 }
            place += 1
            return .word
        }
        if (0x30...0x39).contains(first) {
            skipWord()
            return .number
        }
        // `@`, `#` and `$` belong to the name that follows.
        let isPrefix = first == UInt8(ascii: "@") || first == UInt8(ascii: "#") || first == UInt8(ascii: "$")
        if isPrefix || Self.isWord(first) {
            place += 1
            skipWord()
            return .word
        }
        place += isAt("->") ? 2 : 1
        return .mark
    }

    private mutating func skipWord() {
        while let current = byte(), Self.isWord(current) { place += 1 }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        // Bytes of characters outside of ASCII belong to identifiers; the few operators among them do not matter here.
        byte >= 0x80 || byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }

    private func isRawString() -> Bool {
        var offset = 0
        while byte(offset) == UInt8(ascii: "#") { offset += 1 }
        return offset > 0 && byte(offset) == UInt8(ascii: "\"")
    }

    private mutating func skipString() {
        var hashes = 0
        while byte() == UInt8(ascii: "#") {
            hashes += 1
            place += 1
        }
        let quotes = isAt("\"\"\"") ? 3 : 1
        place += quotes
        while place < bytes.count {
            if isEnd(quotes: quotes, hashes: hashes) {
                place += quotes + hashes
                return
            }
            if byte() == UInt8(ascii: "\\"), isEscape(hashes: hashes) {
                place += 1 + hashes
                if byte() == UInt8(ascii: "(") { skipInterpolation() } else { place += 1 }
            } else {
                place += 1
            }
        }
    }

    /// Returns the position after the regular expression that starts here; nil if none does, and a `/` is an operator.
    private func endOfRegularExpression() -> Int? {
        var hashes = 0
        while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
        guard byte(hashes) == UInt8(ascii: "/") else { return nil }
        // As in the compiler's lexer: without hashes, an operand before the slash, or a space after it, makes it an operator.
        if hashes == 0, place > 0, !" \t\r\n([{,;:".utf8.contains(bytes[place - 1]) { return nil }
        var (index, groups, classes) = (place + hashes + 1, 0, 0)
        if hashes == 0, index < bytes.count, Self.isBlank(bytes[index]) { return nil }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "/")
            where bytes[(index + 1)...].prefix(hashes).elementsEqual(repeatElement(UInt8(ascii: "#"), count: hashes)):
                return hashes == 0 && Self.isBlank(bytes[index - 1]) ? nil : index + 1 + hashes
            case 0x0A, 0x0D: if hashes == 0 { return nil }
            case UInt8(ascii: "["): classes += 1
            case UInt8(ascii: "]"): classes = max(classes - 1, 0)
            case UInt8(ascii: "(") where classes == 0: groups += 1
            case UInt8(ascii: ")") where classes == 0:
                groups -= 1
                // The operator is an argument: `reduce(1, /)`.
                if hashes == 0, groups < 0 { return nil }
            default: break
            }
            index += 1
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private func isEnd(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
            && (0..<hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
    }

    private func isEscape(hashes: Int) -> Bool {
        (0..<hashes).allSatisfy { byte(1 + $0) == UInt8(ascii: "#") }
    }

    private mutating func skipInterpolation() {
        // The tokens within are of no interest, and neither is what stands before them.
        let outside = (isLineStart, hasSpace)
        defer { (isLineStart, hasSpace) = outside }
        var depth = 0
        repeat {
            skipTrivia()
            guard let current = byte() else { return }
            if current == UInt8(ascii: "(") { depth += 1 }
            if current == UInt8(ascii: ")") { depth -= 1 }
            _ = scan()
        } while depth > 0
    }
}
