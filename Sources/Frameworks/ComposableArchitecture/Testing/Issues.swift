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

    /// The underlying issue, with its place in the code.
    let found: FoundIssue
    /// A description without values of actions or state, which must not appear in a server's log.
    public let summary: String
    /// The severity of the problem.
    public let severity: Severity
    /// The missing state that an action needed, if that is the problem.
    package var missingState: MissingState?

    /// A description for developers. It may quote ids, actions and errors.
    public var message: String { found.message }
    /// The file of the code that caused the problem.
    public var file: StaticString { found.place.fileID }
    /// The line of the code that caused the problem.
    public var line: UInt { found.place.line }
}

extension ReportedIssue {
    /// Describes an issue, such as that of a lower module.
    ///
    /// - Parameter summary: The message without values. Defaults to the message, if that contains none.
    init(_ found: FoundIssue, summary: String? = nil, severity: Severity = .error) {
        self.init(found: found, summary: summary ?? found.message, severity: severity)
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
        let found = FoundIssue(message: message, file: file, line: line)
        report(ReportedIssue(found, summary: summary, severity: severity))
    }

    static func report(_ issue: ReportedIssue) {
        if let handler = installed { return handler(issue) }
        issue.found.deliver(summary: issue.summary)
    }

    /// The handler of the issues that are reported now; nil if they are those of the running test or of the process.
    static var installed: (@Sendable (ReportedIssue) -> Void)? {
        handler ?? EffectScope.current?.issueHandler.withLock { $0 }
    }
}
