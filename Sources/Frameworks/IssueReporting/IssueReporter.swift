import Locking

/// A destination of issues that are reported outside of tests, such as a log.
public protocol IssueReporter: Sendable {
    /// Handles an issue.
    func reportIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)

    /// Handles an error that was caught. By default, an issue whose message describes the error.
    func reportIssue(
        _ error: any Error, _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
        line: UInt, column: UInt)

    /// Handles an issue that the code has expected. By default, it is ignored.
    func expectIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)

    /// Handles an error that the code has expected. By default, an expected issue whose message describes the error.
    func expectIssue(
        _ error: any Error, _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
        line: UInt, column: UInt)
}

extension IssueReporter {
    /// Handles an issue whose message describes the error.
    public func reportIssue(
        _ error: any Error, _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
        line: UInt, column: UInt
    ) {
        let issue = FoundIssue(comment: message(), error: error, place: IssuePlace(fileID: fileID, line: line))
        reportIssue(issue.message, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Ignores the issue.
    public func expectIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {}

    /// Handles an expected issue whose message describes the error.
    public func expectIssue(
        _ error: any Error, _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
        line: UInt, column: UInt
    ) {
        let issue = FoundIssue(comment: message(), error: error, place: IssuePlace(fileID: fileID, line: line))
        expectIssue(issue.message, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

/// A reporter that writes each issue to standard error, without the values of actions and state.
public struct StandardErrorReporter: IssueReporter {
    /// Writes an issue to standard error.
    public func reportIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
        StandardError.write("\(fileID):\(line): \(message() ?? "")\n")
    }
}

/// A reporter that ends the process with an issue.
public struct FatalErrorReporter: IssueReporter {
    /// Ends the process.
    public func reportIssue(
        _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
        preconditionFailure(message() ?? "an issue was reported", file: filePath, line: line)
    }
}

extension IssueReporter where Self == StandardErrorReporter {
    /// A reporter that writes each issue to standard error.
    public static var `default`: Self { StandardErrorReporter() }

    /// A reporter that writes each issue to standard error, where no debugger shows warnings.
    public static var runtimeWarning: Self { StandardErrorReporter() }
}

extension IssueReporter where Self == FatalErrorReporter {
    /// A reporter that ends the process with an issue.
    public static var fatalError: Self { FatalErrorReporter() }
}

/// The destinations of issues that are reported outside of tests.
public enum IssueReporters {
    @TaskLocal fileprivate static var reporters = Lock<[any IssueReporter]>([.default])

    /// The reporters of the calling task, in the order in which they receive an issue: ``StandardErrorReporter``, unless they are set.
    ///
    /// An assignment applies to the operation of ``withIssueReporters(_:operation:)`` that the caller runs in, else to the process. The
    /// issues of a hosted session are in the server's log instead.
    public static var current: [any IssueReporter] {
        get { reporters.withLock { $0 } }
        set { reporters.withLock { $0 = newValue } }
    }
}

/// Calls `operation` and passes the issues that are reported meanwhile, in this task, to other reporters, unless a test is running.
public func withIssueReporters<Result>(
    _ reporters: [any IssueReporter], operation: () throws -> Result
) rethrows -> Result {
    try IssueReporters.$reporters.withValue(Lock(reporters), operation: operation)
}

/// Calls `operation` and passes the issues that are reported meanwhile, in this task, to other reporters, unless a test is running.
public func withIssueReporters<Result>(
    _ reporters: [any IssueReporter], isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
) async rethrows -> Result {
    try await IssueReporters.$reporters.withValue(Lock(reporters), operation: operation)
}
