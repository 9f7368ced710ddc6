import Locking

/// Something that is wrong with the code that uses this library, as far as the library can tell.
public struct ReportedIssue: Sendable {
    /// How bad it is.
    public enum Severity: Sendable {
        /// A test that hears of it fails.
        case error
        /// Work goes on without what was wrong; a test that hears of it fails all the same, unless it says otherwise.
        case warning
    }

    /// What is wrong, for people. May quote ids, actions and errors, as a test is to show them.
    public let message: String
    /// What is wrong without values of actions and of the state, which do not belong in a server's log.
    public let summary: String
    /// How bad it is.
    public let severity: Severity
    /// Where the code is that it was found in.
    public let file: StaticString
    /// The line there.
    public let line: UInt
    /// The state that an action needed and that does not exist, if that is the issue.
    package var missingState: MissingState?
}

/// Calls `body`; what is reported meanwhile, on this thread or in this task, goes to `handler` instead of failing a test.
public func withIssueHandler<Result>(
    _ handler: @escaping @Sendable (ReportedIssue) -> Void, body: () throws -> Result
) rethrows -> Result {
    try Issues.$handler.withValue(handler, operation: body)
}

/// Calls `body`; what is reported meanwhile, in this task, goes to `handler` instead of failing a test.
public func withIssueHandler<Result>(
    _ handler: @escaping @Sendable (ReportedIssue) -> Void, isolation: isolated (any Actor)? = #isolation,
    body: () async throws -> Result
) async rethrows -> Result {
    try await Issues.$handler.withValue(handler, operation: body)
}

/// Where issues go.
enum Issues {
    @TaskLocal static var handler: (@Sendable (ReportedIssue) -> Void)?

    /// Reports to the handler, to that of the store that is at work, to the test that is running or, outside of tests, to
    /// standard error, which gets the summary.
    ///
    /// - Parameter summary: The message without values. `nil` if the message has none.
    static func report(
        _ message: String, summary: String? = nil, severity: ReportedIssue.Severity = .error,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        report(
            ReportedIssue(message: message, summary: summary ?? message, severity: severity, file: file, line: line))
    }

    static func report(_ issue: ReportedIssue) {
        if let handler = handler ?? EffectHome.current?.issueHandler.withLock({ $0 }) { return handler(issue) }
        if RunningTest.fail(issue) { return }
        StandardError.write("\(issue.file):\(issue.line): \(issue.summary)\n")
    }
}
