/// Fails the test with the difference of two values if they are not equal.
///
/// - Parameters:
///   - first: Returns the first value.
///   - second: Returns the second value.
///   - message: A text before that of the failure.
///   - fileID: The file that a failure is reported for.
///   - filePath: The path of that file. It is not used.
///   - line: The line that a failure is reported for.
///   - column: The column of that line. It is not used.
public func expectNoDifference<Value: Equatable>(
    _ first: @autoclosure () throws -> Value, _ second: @autoclosure () throws -> Value,
    _ message: @autoclosure () -> String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let place = Place(file: fileID, line: line)
    place.reporting { report(try first(), try second(), "First", "Second", message(), place) }
}

/// Fails the test with a difference if an operation does not change a value as `changes` does.
///
/// - Parameters:
///   - expression: Returns the value, before and after the operation.
///   - message: A text before that of the failure.
///   - operation: The operation.
///   - changes: Changes a copy of the value as the operation is expected to do.
///   - fileID: The file that a failure is reported for.
///   - filePath: The path of that file. It is not used.
///   - line: The line that a failure is reported for.
///   - column: The column of that line. It is not used.
public func expectDifference<Value: Equatable>(
    _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String? = nil,
    operation: () throws -> Void = {}, changes: (inout Value) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let place = Place(file: fileID, line: line)
    place.reporting {
        var expected = try expression()
        try changes(&expected)
        try operation()
        report(expected, try expression(), "Expected", "Actual", message(), place)
    }
}

/// Fails the test with a difference if an asynchronous operation does not change a value as `changes` does.
///
/// - Parameters:
///   - expression: Returns the value, before and after the operation.
///   - message: A text before that of the failure.
///   - operation: The operation.
///   - changes: Changes a copy of the value as the operation is expected to do.
///   - fileID: The file that a failure is reported for.
///   - filePath: The path of that file. It is not used.
///   - line: The line that a failure is reported for.
///   - column: The column of that line. It is not used.
nonisolated(nonsending) public func expectDifference<Value: Equatable>(
    _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String? = nil,
    operation: () async throws -> Void, changes: (inout Value) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async {
    let place = Place(file: fileID, line: line)
    do {
        var expected = try expression()
        try changes(&expected)
        try await operation()
        report(expected, try expression(), "Expected", "Actual", message(), place)
    } catch {
        place.report(error)
    }
}

/// The former name of ``expectNoDifference(_:_:_:fileID:filePath:line:column:)``. It works in both test libraries too.
public func XCTAssertNoDifference<Value: Equatable>(
    _ first: @autoclosure () throws -> Value, _ second: @autoclosure () throws -> Value,
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
) {
    let place = Place(file: file, line: line)
    place.reporting {
        let message = message()
        report(try first(), try second(), "First", "Second", message.isEmpty ? nil : message, place)
    }
}

/// The former name of `expectDifference`. It works in both test libraries too.
public func XCTAssertDifference<Value: Equatable>(
    _ expression: @autoclosure () throws -> Value, _ message: @autoclosure () -> String = "",
    operation: () throws -> Void = {}, changes: (inout Value) throws -> Void, file: StaticString = #fileID,
    line: UInt = #line
) {
    let text = message()
    expectDifference(
        try expression(), text.isEmpty ? nil : text, operation: operation, changes: changes, fileID: file, line: line)
}

private struct Place {
    let file: StaticString
    let line: UInt

    func report(_ error: any Error) {
        Issues.report("Caught error: \(error)", file: file, line: line)
    }

    func reporting(_ body: () throws -> Void) {
        do { try body() } catch { report(error) }
    }
}

private func report<Value: Equatable>(
    _ first: Value, _ second: Value, _ firstName: String, _ secondName: String, _ message: String?, _ place: Place
) {
    guard first != second else { return }
    let format = DiffFormat.proportional
    let difference = diff(first, second, format: format) ?? "(the dumps are equal, but the values are not)"
    Issues.report(
        """
        \(message.map { "\($0) - " } ?? "")Difference: …

        \(difference.indented)

        (\(firstName): \(format.first), \(secondName): \(format.second))
        """, file: place.file, line: place.line)
}
