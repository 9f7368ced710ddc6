/// The signs before the lines of a difference.
public struct DiffFormat: Sendable {
    /// The sign of lines that only the first value has.
    public var first: String
    /// The sign of lines that only the second value has.
    public var second: String
    /// The sign of lines that both values have.
    public var both: String

    /// Creates a format.
    public init(first: String, second: String, both: String) {
        self.first = first
        self.second = second
        self.both = both
    }

    /// A format for fonts in which all characters have the same width.
    public static let `default` = DiffFormat(first: "-", second: "+", both: " ")
    /// A format for other fonts.
    public static let proportional = DiffFormat(first: "\u{2212}", second: "+", both: "\u{2007}")
}

/// Prints a value with its members, one on each line. Returns the value.
///
/// - Parameters:
///   - value: The value.
///   - name: A label before the value.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels whose members are printed.
@discardableResult
public func customDump<Value>(
    _ value: Value, name: String? = nil, indent: Int = 0, maxDepth: Int = .max
) -> Value {
    print(text(of: value, name, indent, maxDepth))
    return value
}

/// Appends the members of a value to a stream, one on each line. Returns the value.
///
/// - Parameters:
///   - value: The value.
///   - target: The stream.
///   - name: A label before the value.
///   - indent: The number of spaces before each line.
///   - maxDepth: The number of levels whose members are written.
@discardableResult
public func customDump<Value, Target: TextOutputStream>(
    _ value: Value, to target: inout Target, name: String? = nil, indent: Int = 0, maxDepth: Int = .max
) -> Value {
    target.write(text(of: value, name, indent, maxDepth))
    return value
}

private func text<Value>(of value: Value, _ name: String?, _ indent: Int, _ depth: Int) -> String {
    let spaces = String(repeating: " ", count: indent)
    return DumpChild(label: name, node: node(of: value)).lines(isLast: true, depth: depth).map { spaces + $0 }
        .joined(separator: "\n")
}

extension String {
    /// Creates a string with the members of a value, one on each line.
    public init<Value>(customDumping value: Value) {
        self = node(of: value).lines().joined(separator: "\n")
    }
}

/// Returns the difference of two values, member by member; nil if they are equal, or if their dumps are equal and they cannot be
/// compared otherwise.
///
/// Lines of members that have not changed are shortened, and elements that have not changed are counted.
public func diff<Value>(_ first: Value, _ second: Value, format: DiffFormat = .default) -> String? {
    var dumper = Dumper()
    let (before, after) = (dumper.nextTree(of: first), dumper.nextTree(of: second))
    guard before == after else { return DumpDifference(before, after, format: format).lines.joined(separator: "\n") }
    guard let first = first as? any Equatable, !isEqual(first, second) else { return nil }
    let summary = before.lines(depth: 0)
    let note = "\(format.both) // Not equal but no difference detected:"
    return ([note] + summary.map { "\(format.first) \($0)" } + summary.map { "\(format.second) \($0)" })
        .joined(separator: "\n")
}

private func isEqual<First: Equatable>(_ first: First, _ second: Any) -> Bool {
    first == second as? First
}

private func node<Value>(of value: Value) -> DumpNode {
    var dumper = Dumper()
    return dumper.node(of: value)
}
