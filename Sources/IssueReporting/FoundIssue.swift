/// A problem in the code that uses a library of this package.
package struct FoundIssue: Sendable {
    /// A description for developers.
    package let message: String
    /// The file of the code that caused the problem.
    package let file: StaticString
    /// The line of the code that caused the problem.
    package let line: UInt

    /// Receives the issues of the current task instead of the running test.
    @TaskLocal package static var receiver: (@Sendable (FoundIssue) -> Void)?

    /// Creates an issue.
    package init(message: String, file: StaticString, line: UInt) {
        self.message = message
        self.file = file
        self.line = line
    }

    /// Passes the issue to the receiver, else to the running test, else to standard error.
    package func report() {
        if let receiver = FoundIssue.receiver { return receiver(self) }
        if RunningTest.fail(self) { return }
        StandardError.write("\(file):\(line): \(message)\n")
    }
}
