extension JSONScanner {
    mutating func string() throws(JSONSyntaxError) {
        if isJSON5 { return try json5String() }
        position += 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0x20..<0x80: position += 1
            case 0..<0x20: throw expected("an escaped control character")
            default: try multibyteCharacter()
            }
        }
        throw expected("a closing quote")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let unit = try codeUnit()
            guard unit & 0xF800 == 0xD800 else { return }
            try lowSurrogate(after: unit, from: start)
        default: throw expected("a valid escape")
        }
    }

    /// Scans the second half of a surrogate pair. A lone surrogate has no UTF-8 form, so no decoder could represent it.
    private mutating func lowSurrogate(after high: UInt16, from start: Int) throws(JSONSyntaxError) {
        let mismatch = JSONSyntaxError(offset: start, expected: "a pair of surrogate escapes")
        guard high < 0xDC00 else { throw mismatch }
        guard position < bytes.count else { throw expected("the second escape of a surrogate pair") }
        guard current == UInt8(ascii: "\\") else { throw mismatch }
        guard position + 1 < bytes.count else {
            throw JSONSyntaxError(offset: bytes.count, expected: "the second escape of a surrogate pair")
        }
        guard bytes[position + 1] == UInt8(ascii: "u") else { throw mismatch }
        position += 1
        guard try codeUnit() & 0xFC00 == 0xDC00 else { throw mismatch }
    }

    /// Scans the four digits after the current `u`.
    mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw expected("four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// Scans a character of two to four bytes that is well-formed according to table 3-7 of the Unicode standard.
    mutating func multibyteCharacter() throws(JSONSyntaxError) {
        let lead = bytes[position]
        let count: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: count = 2
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: count = 3
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: count = 4
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw expected("UTF-8")
        }
        guard position + count <= bytes.count, second.contains(bytes[position + 1]),
            bytes[(position + 2)..<(position + count)].allSatisfy({ $0 & 0b1100_0000 == 0b1000_0000 })
        else { throw incompleteCharacter(of: count) }
        position += count
    }

    /// Returns the error for a character that is malformed or is cut off by the end of the text.
    private func incompleteCharacter(of count: Int) -> JSONSyntaxError {
        let rest = bytes[(position + 1)...].prefix(count - 1)
        guard rest.count < count - 1, rest.allSatisfy({ $0 & 0b1100_0000 == 0b1000_0000 }) else {
            return expected("UTF-8")
        }
        // Reported at the end, so that a truncated text can be distinguished from a malformed one.
        return JSONSyntaxError(offset: bytes.count, expected: "the rest of a UTF-8 character")
    }
}
