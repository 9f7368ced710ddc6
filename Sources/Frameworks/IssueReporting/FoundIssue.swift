/// A problem in the code that uses a library of this package.
package struct FoundIssue: Sendable {
    /// The comment of the code that reports the issue, if any.
    package let comment: String?
    /// The error that caused the issue, if one was caught.
    package let error: (any Error)?
    /// The place of the code that caused the problem.
    package let place: IssuePlace

    /// Receives the issues of the current task instead of the running test.
    @TaskLocal package static var receiver: (@Sendable (FoundIssue) -> Void)?

    package init(comment: String?, error: (any Error)? = nil, place: IssuePlace) {
        self.comment = comment
        self.error = error
        self.place = place
    }

    /// Creates an issue of which only the file and the line are known.
    package init(message: String, file: StaticString, line: UInt) {
        self.init(comment: message, place: IssuePlace(fileID: file, line: line))
    }

    /// A description for developers.
    package var message: String {
        guard let error else { return comment ?? "" }
        return "Caught error: \(error)" + (comment.map { ": \($0)" } ?? "")
    }

    /// Passes the issue to the receiver, else to the running test, else to the reporters.
    package func report() {
        if let receiver = FoundIssue.receiver { return receiver(self) }
        deliver()
    }

    /// Passes the issue to the running test, else to the reporters.
    ///
    /// - Parameter summary: The message without values, for standard error. Defaults to the message, if that contains none.
    package func deliver(summary: String? = nil) {
        if RunningTest.fail(self) { return }
        for reporter in IssueReporters.current {
            if reporter is StandardErrorReporter {
                StandardError.write("\(place.fileID):\(place.line): \(summary ?? message)\n")
            } else {
                pass(to: reporter)
            }
        }
    }

    private func pass(to reporter: any IssueReporter) {
        let (file, path, line, column) = (place.fileID, place.filePath, place.line, place.column)
        if let error {
            reporter.reportIssue(error, comment, fileID: file, filePath: path, line: line, column: column)
        } else {
            reporter.reportIssue(comment, fileID: file, filePath: path, line: line, column: column)
        }
    }

    /// Passes an issue that the caller has expected to the reporters, which may ignore it.
    package func deliverExpected() {
        let (file, path, line, column) = (place.fileID, place.filePath, place.line, place.column)
        for reporter in IssueReporters.current {
            if let error {
                reporter.expectIssue(error, comment, fileID: file, filePath: path, line: line, column: column)
            } else {
                reporter.expectIssue(comment, fileID: file, filePath: path, line: line, column: column)
            }
        }
    }
}
