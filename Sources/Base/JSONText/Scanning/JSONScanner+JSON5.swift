// The extensions of JSON5 to JSON.
extension JSONScanner {
    /// Skips a comment or a whitespace character that exists only in JSON5. Returns whether there was one.
    ///
    /// An unclosed comment is not skipped, so that ``commentInsteadOf(_:)`` can report it: if this function could
    /// throw, every skip of whitespace in JSON would have to check for an error.
    mutating func skipJSON5Blank() -> Bool {
        switch bytes[position] {
        case 0x0B, 0x0C: position += 1
        case UInt8(ascii: "/"): return skipComment()
        case 0x80...:
            let count = Self.spaces.first { bytes[position...].starts(with: $0) }?.count
            guard let count else { return false }
            position += count
        default: return false
        }
        return true
    }

    /// The Unicode spaces, the line and paragraph separators and the byte order mark, in UTF-8.
    private static let spaces: [[UInt8]] =
        ["\u{A0}", "\u{1680}", "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}"].map {
            Array($0.utf8)
        } + (0x80...0x8A).map { [0xE2, 0x80, $0] }

    private mutating func skipComment() -> Bool {
        guard position + 1 < bytes.count else { return false }
        switch bytes[position + 1] {
        case UInt8(ascii: "/"):
            while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
            return true
        case UInt8(ascii: "*"):
            var end = position + 2
            while end + 1 < bytes.count {
                if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") {
                    position = end + 2
                    return true
                }
                end += 1
            }
            return false
        default: return false
        }
    }

    /// Returns the expectation at an unfinished comment; elsewhere, the given one.
    func commentInsteadOf(_ what: String) -> String {
        guard current == UInt8(ascii: "/") else { return what }
        let isOpen = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*")
        return isOpen ? "a comment that is closed by */" : "a comment, // or /*"
    }

    /// Scans a value that exists only in JSON5. Returns false if none exists.
    mutating func json5Value() throws(JSONSyntaxError) -> Bool {
        switch current {
        case UInt8(ascii: "'"): try json5String()
        case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"): try json5Number()
        default: return false
        }
        return true
    }

    mutating func json5String() throws(JSONSyntaxError) {
        let quote = bytes[position]
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case quote:
                position += 1
                return
            case UInt8(ascii: "\\"): try json5Escape()
            case 0x0A, 0x0D: throw expected("a closing quote")
            case 0..<0x80: position += 1
            default: try multibyteCharacter()
            }
        }
        throw expected("a closing quote")
    }

    private mutating func json5Escape() throws(JSONSyntaxError) {
        position += 1
        switch current {
        case nil: throw expected("a valid escape")
        case UInt8(ascii: "u"): _ = try codeUnit()
        case UInt8(ascii: "x"):
            position += 1
            for _ in 0..<2 { try hexadecimalDigit() }
        case .some(UInt8(ascii: "1")...UInt8(ascii: "9")): throw expected("a valid escape")
        case .some(0x80...): try multibyteCharacter()
        // Any other character represents itself. A line end continues the string on the next line.
        case 0x0D where position + 1 < bytes.count && bytes[position + 1] == 0x0A: position += 2
        default: position += 1
        }
    }

    private mutating func hexadecimalDigit() throws(JSONSyntaxError) {
        guard let byte = current, Character(Unicode.Scalar(byte)).isHexDigit else {
            throw expected("a hexadecimal digit")
        }
        position += 1
    }

    /// Scans a key that is not in double quotes: a string, or an identifier.
    mutating func json5Key() throws(JSONSyntaxError) {
        guard isJSON5 else { throw expected("a key in quotes") }
        if current == UInt8(ascii: "'") { return try json5String() }
        let start = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard position > start else { throw expected("a key") }
                position += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "$"):
                position += 1
            case UInt8(ascii: "\\") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "u"):
                position += 1
                _ = try codeUnit()
            // A space after a key is not part of it, regardless of its encoding.
            case 0x80... where !Self.spaces.contains { bytes[position...].starts(with: $0) }: try multibyteCharacter()
            default:
                guard position > start else { throw expected("a key") }
                return
            }
        }
        guard position > start else { throw expected("a key") }
    }

    mutating func json5Number() throws(JSONSyntaxError) {
        if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
        var hasWholePart = true
        switch current {
        case UInt8(ascii: "I"): return try word("Infinity")
        case UInt8(ascii: "N"): return try word("NaN")
        case UInt8(ascii: "0"):
            position += 1
            if current == UInt8(ascii: "x") || current == UInt8(ascii: "X") {
                position += 1
                try hexadecimalDigit()
                while let byte = current, Character(Unicode.Scalar(byte)).isHexDigit { position += 1 }
                return
            }
            // JSON5 does not allow leading zeros, but Foundation, which decodes the values of a file, does.
            while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        case UInt8(ascii: "."): hasWholePart = false
        default: try digits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            // Digits may be missing on one side of the point, `5.` or `.5`, but not on both.
            let hasFraction = current.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
            if hasFraction || !hasWholePart { try digits() }
        }
        try exponent()
    }
}
