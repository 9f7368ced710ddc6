/// A place in the source code that an issue is attributed to.
package struct IssuePlace: Sendable {
    /// The module and the name of the file.
    package let fileID: StaticString
    package let filePath: StaticString
    /// The line, from 1.
    package let line: UInt
    /// The column, from 1.
    package let column: UInt

    /// The place of all issues that are reported in the current task, if it has been chosen.
    @TaskLocal package static var chosen: IssuePlace?

    /// Creates a place.
    ///
    /// - Parameter filePath: The path of the file; its id if the path is unknown.
    package init(fileID: StaticString, filePath: StaticString? = nil, line: UInt, column: UInt = 1) {
        self.fileID = fileID
        self.filePath = filePath ?? fileID
        self.line = line
        self.column = column
    }
}

/// Calls `operation` and attributes the issues that are reported meanwhile to a place, instead of to the code that reports them.
///
/// - Parameters:
///   - fileID: The module and the name of the file.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
///   - operation: The code that may report issues, in this task.
public func withIssueContext<Result>(
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt, operation: () throws -> Result
) rethrows -> Result {
    let place = IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return try IssuePlace.$chosen.withValue(place, operation: operation)
}

/// Calls `operation` and attributes the issues that are reported meanwhile to a place, instead of to the code that reports them.
///
/// - Parameters:
///   - fileID: The module and the name of the file.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
///   - isolation: The actor of the caller, on which the operation runs.
///   - operation: The code that may report issues, in this task.
public func withIssueContext<Result>(
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async rethrows -> Result {
    let place = IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    return try await IssuePlace.$chosen.withValue(place, operation: operation)
}
