import IssueReporting

/// Reports a problem: fails the running test. Outside of tests, a hosted session logs the message, and other code passes it to the
/// `IssueReporters`.
///
/// - Parameters:
///   - message: A description for developers.
///   - fileID: The file of the problem.
///   - filePath: The path of the file.
///   - line: The line of the problem.
///   - column: The column of the problem.
public func reportIssue(
    _ message: @autoclosure () -> String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let place = IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    Issues.report(ReportedIssue(FoundIssue(comment: message(), place: IssuePlace.chosen ?? place)))
}

/// Reports an error that was caught: fails the running test. Outside of tests, a hosted session logs the type of the error, and other
/// code passes the error to the `IssueReporters`.
///
/// - Parameters:
///   - error: The error.
///   - message: A description for developers.
///   - fileID: The file of the problem.
///   - filePath: The path of the file.
///   - line: The line of the problem.
///   - column: The column of the problem.
public func reportIssue(
    _ error: any Error, _ message: @autoclosure () -> String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    let place = IssuePlace.chosen ?? IssuePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let comment = message()
    // An error may contain values of a client.
    let summary = "caught an error of type \(type(of: error))" + (comment.map { ": \($0)" } ?? "")
    Issues.report(ReportedIssue(FoundIssue(comment: comment, error: error, place: place), summary: summary))
}

/// Reports a problem at a file and a line.
public func reportIssue(_ message: @autoclosure () -> String = "", file: StaticString, line: UInt = #line) {
    Issues.report(message(), file: file, line: line)
}

/// Returns the result of `body`, or reports the error that it throws and returns nil.
///
/// - Parameters:
///   - message: A description of the operation, for developers.
///   - reporters: The destinations of the error outside of tests; nil for those of the caller.
///   - fileID: The file that the error is attributed to.
///   - filePath: The path of the file.
///   - line: The line that the error is attributed to.
///   - column: The column that the error is attributed to.
///   - body: The operation.
public func withErrorReporting<Result>(
    _ message: @autoclosure () -> String? = nil, to reporters: [any IssueReporter]? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    catching body: () throws -> Result
) -> Result? {
    if let reporters {
        return withIssueReporters(reporters) {
            withErrorReporting(
                message(), fileID: fileID, filePath: filePath, line: line, column: column, catching: body)
        }
    }
    do {
        return try body()
    } catch {
        reportIssue(error, message(), fileID: fileID, filePath: filePath, line: line, column: column)
        return nil
    }
}

/// Returns the result of `body`, or reports the error that it throws and returns nil.
///
/// - Parameters:
///   - message: A description of the operation, for developers.
///   - reporters: The destinations of the error outside of tests; nil for those of the caller.
///   - fileID: The file that the error is attributed to.
///   - filePath: The path of the file.
///   - line: The line that the error is attributed to.
///   - column: The column that the error is attributed to.
///   - isolation: The actor of the caller, on which the operation runs.
///   - body: The operation.
public func withErrorReporting<Result>(
    _ message: String? = nil, to reporters: [any IssueReporter]? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation, catching body: () async throws -> sending Result
) async -> Result? {
    // The message is no closure: Swift 6.3 passes that of another call here, in debug builds.
    if let reporters {
        return await withIssueReporters(reporters) {
            await withErrorReporting(
                message, fileID: fileID, filePath: filePath, line: line, column: column, catching: body)
        }
    }
    do {
        return try await body()
    } catch {
        reportIssue(error, message, fileID: fileID, filePath: filePath, line: line, column: column)
        return nil
    }
}
