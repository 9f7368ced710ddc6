/// An issue that a test expects code to report.
package struct ExpectedIssue: Sendable {
    /// The reason, for the test's output.
    package let comment: String?
    /// Whether it is no failure if no issue is reported.
    package let isIntermittent: Bool
    package let place: IssuePlace

    package init(comment: String?, isIntermittent: Bool, place: IssuePlace) {
        self.comment = comment
        self.isIntermittent = isIntermittent
        self.place = place
    }
}
