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
@discardableResult
public func customDump<Value>(_ value: Value, name: String? = nil) -> Value {
    print(DumpChild(label: name, node: node(of: value)).lines(isLast: true).joined(separator: "\n"))
    return value
}

/// Appends the members of a value to a stream, one on each line. Returns the value.
@discardableResult
public func customDump<Value, Target: TextOutputStream>(
    _ value: Value, to target: inout Target, name: String? = nil
) -> Value {
    target.write(DumpChild(label: name, node: node(of: value)).lines(isLast: true).joined(separator: "\n"))
    return value
}

extension String {
    /// Creates a string with the members of a value, one on each line.
    public init<Value>(customDumping value: Value) {
        self = node(of: value).lines.joined(separator: "\n")
    }
}

/// Returns the difference of two values, member by member; nil if their dumps are equal.
///
/// Lines of members that have not changed are shortened, and elements that have not changed are counted.
public func diff<Value>(_ first: Value, _ second: Value, format: DiffFormat = .default) -> String? {
    let (first, second) = (node(of: first), node(of: second))
    guard first != second else { return nil }
    return DumpDifference(first, second, format: format).lines.joined(separator: "\n")
}

private func node<Value>(of value: Value) -> DumpNode {
    var dumper = Dumper()
    return dumper.node(of: value)
}

/// Fails the test with the difference of two values if they are not equal.
public func expectNoDifference<Value: Equatable>(
    _ first: @autoclosure () throws -> Value, _ second: @autoclosure () throws -> Value,
    _ message: @autoclosure () -> String? = nil, file: StaticString = #fileID, line: UInt = #line
) {
    do {
        let (first, second) = (try first(), try second())
        guard first != second else { return }
        let difference = diff(first, second, format: .proportional) ?? "  (the dumps are equal, but the values are not)"
        Issues.report(
            "\(message().map { "\($0) - " } ?? "")Expected equal values: …\n\n\(difference.indented)\n\n(First: −, Second: +)",
            file: file, line: line)
    } catch {
        Issues.report("Expected equal values, but an error was thrown: \(error)", file: file, line: line)
    }
}

/// Fails the test with a difference if an operation does not change a value as `changes` does.
///
/// - Parameters:
///   - expression: Returns the value, before and after the operation.
///   - message: A text before that of the failure.
///   - operation: The operation.
///   - changes: Changes a copy of the value as the operation is expected to do.
///   - file: The file that a failure is reported for.
///   - line: The line that a failure is reported for.
public func expectDifference<Value: Equatable>(
    _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String? = nil,
    operation: () throws -> Void = {}, changes: (inout Value) throws -> Void, file: StaticString = #fileID,
    line: UInt = #line
) {
    do {
        var expected = try expression()
        try changes(&expected)
        try operation()
        let actual = try expression()
        expectNoDifference(expected, actual, message(), file: file, line: line)
    } catch {
        Issues.report("Expected a change, but an error was thrown: \(error)", file: file, line: line)
    }
}
