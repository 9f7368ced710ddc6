/// A syntax error: its offset and the expected syntax at this offset.
package struct JSONSyntaxError: Error, Equatable {
    /// The offset in bytes.
    package let offset: Int
    /// The expected syntax, such as `a closing quote`.
    package let expected: String

    /// Returns the line and column, from 1 and in characters, as editors count.
    package func place(in bytes: [UInt8]) -> (line: Int, column: Int) {
        Self.place(of: offset, in: bytes)
    }

    package static func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
        return (line, column)
    }

    /// Returns a phrase for the content at the offset: `'x'`, `the end of the text`.
    package func found(in bytes: [UInt8]) -> String {
        guard offset < bytes.count else { return "the end of the text" }
        let byte = bytes[offset]
        if byte == 0x0A || byte == 0x0D { return "the end of the line" }
        var iterator = bytes[offset...].prefix(4).makeIterator()
        var decoder = UTF8()
        // Only a printable character of the client's text is quoted: others could affect a terminal.
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), !scalar.isHidden else {
            return "the byte 0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "'\(scalar)'"
    }

    /// Whether the text ended too early: it may be valid with more bytes.
    package func isAtEnd(of bytes: [UInt8]) -> Bool { offset == bytes.count }
}
