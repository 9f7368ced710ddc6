import IssueReporting

/// Reports that a dependency has no value for the environment in which it was read.
enum MissingDependency {
    /// Reports a problem of the property that is being read, or else of the code at a place.
    static func report(_ message: String, file: StaticString = #fileID, line: UInt = #line) {
        let place = IssuePlace.chosen ?? IssuePlace(fileID: file, line: line)
        Issues.report(ReportedIssue(FoundIssue(comment: message, place: place)))
    }
}
