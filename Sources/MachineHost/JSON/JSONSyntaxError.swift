/// Text that is no JSON (RFC 8259): where, and what was expected there.
package struct JSONSyntaxError: Error, Equatable {
    let offset: Int
    let expected: String

    /// The place as people count: from 1, in characters.
    func place(in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 } + 1
        return (line, column)
    }
}
