import IssueReporting
import Locking

/// A problem in the code that uses this library.
public struct ReportedIssue: Sendable {
    /// The severity of the problem.
    public enum Severity: Sendable {
        /// Fails the running test.
        case error
        /// The faulty action or value is ignored and work continues. Fails the running test, unless a handler is
        /// installed.
        case warning
    }

    /// A description for developers. It may quote ids, actions and errors.
    public let message: String
    /// A description without values of actions or state, which must not appear in a server's log.
    public let summary: String
    /// The severity of the problem.
    public let severity: Severity
    /// The file of the code that caused the problem.
    public let file: StaticString
    /// The line of the code that caused the problem.
    public let line: UInt
    /// The missing state that an action needed, if that is the problem.
    package var missingState: MissingState?
}

extension ReportedIssue {
    /// Describes an issue of a lower module, such as that of case paths.
    init(_ issue: FoundIssue) {
        self.init(
            message: issue.message, summary: issue.message, severity: .error, file: issue.file, line: issue.line)
    }
}

/// Calls `body` and passes the issues that are reported on this thread or in this task to `handler`, instead of failing
/// a test.
public func withIssueHandler<Result>(
    _ handler: @escaping @Sendable (ReportedIssue) -> Void, body: () throws -> Result
) rethrows -> Result {
    try FoundIssue.$receiver.withValue({ handler(ReportedIssue($0)) }) {
        try Issues.$handler.withValue(handler, operation: body)
    }
}

/// Calls `body` and passes the issues that are reported in this task to `handler`, instead of failing a test.
public func withIssueHandler<Result>(
    _ handler: @escaping @Sendable (ReportedIssue) -> Void, isolation: isolated (any Actor)? = #isolation,
    body: () async throws -> Result
) async rethrows -> Result {
    try await FoundIssue.$receiver.withValue({ handler(ReportedIssue($0)) }) {
        try await Issues.$handler.withValue(handler, operation: body)
    }
}

/// The destination of issues.
enum Issues {
    @TaskLocal static var handler: (@Sendable (ReportedIssue) -> Void)?

    /// Reports an issue to the installed handler, else to the handler of the current store, else to the running test.
    /// Outside tests, the summary is written to standard error.
    ///
    /// - Parameter summary: The message without values. Defaults to `message`, if that contains none.
    static func report(
        _ message: String, summary: String? = nil, severity: ReportedIssue.Severity = .error,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        report(
            ReportedIssue(message: message, summary: summary ?? message, severity: severity, file: file, line: line))
    }

    static func report(_ issue: ReportedIssue) {
        if let handler = handler ?? EffectScope.current?.issueHandler.withLock({ $0 }) { return handler(issue) }
        if RunningTest.fail(FoundIssue(message: issue.message, file: issue.file, line: issue.line)) { return }
        StandardError.write("\(issue.file):\(issue.line): \(issue.summary)\n")
    }
}

/// Reports a problem: fails the running test, or writes the message to standard error outside of tests.
public func reportIssue(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line
) {
    Issues.report(message(), severity: .error, file: file, line: line)
}
