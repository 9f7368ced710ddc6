/// The sort criterion of a search.
public enum RepositorySort: String, CaseIterable, Codable, Sendable {
    /// GitHub's relevance score. The request has no `sort` parameter.
    case bestMatch = "best-match"
    /// The number of stars.
    case stars
    /// The number of forks.
    case forks
    /// The number of open issues with the label `help-wanted`.
    case helpWantedIssues = "help-wanted-issues"
    /// The time of the last update.
    case updated
}
