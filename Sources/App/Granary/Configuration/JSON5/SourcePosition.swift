/// A position in a text file. Lines and columns start at 1.
struct SourcePosition: Sendable, Equatable, CustomStringConvertible {
    var line: Int
    var column: Int

    var description: String { "\(line):\(column)" }
}
