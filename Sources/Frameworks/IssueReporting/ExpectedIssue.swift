/// An issue that a test expects code to report.
package struct ExpectedIssue: Sendable {
    /// The reason, for the test's output.
    package let comment: String?
    /// Whether it is no failure if no issue is reported.
    package let isIntermittent: Bool
    /// The place of the expectation.
    package let place: IssuePlace

    /// Creates the expectation of an issue.
    package init(comment: String?, isIntermittent: Bool, place: IssuePlace) {
        self.comment = comment
        self.isIntermittent = isIntermittent
        self.place = place
    }
}
