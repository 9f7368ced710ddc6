/// A place in a text file, counted from one as editors do.
struct SourcePosition: Sendable, Equatable, CustomStringConvertible {
    var line: Int
    var column: Int

    var description: String { "\(line):\(column)" }
}
