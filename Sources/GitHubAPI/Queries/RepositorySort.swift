/// What the results of a search are sorted by.
public enum RepositorySort: String, CaseIterable, Codable, Sendable {
    /// GitHub's own judgement; sent as no sort at all.
    case bestMatch = "best-match"
    /// The number of stars.
    case stars
    /// The number of forks.
    case forks
    /// The number of open issues that ask for help.
    case helpWantedIssues = "help-wanted-issues"
    /// The time of the last update.
    case updated
}
