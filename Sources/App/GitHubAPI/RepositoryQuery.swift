import HTTPModel

/// The sort criterion of a search: the date of the last update, a number, or GitHub's relevance score.
public enum RepositorySort: String, CaseIterable, Codable, Sendable {
    case bestMatch = "best-match", stars, forks, helpWantedIssues = "help-wanted-issues", updated
}

/// The sort order of a search.
public enum SortOrder: String, CaseIterable, Codable, Sendable {
    case ascending = "asc", descending = "desc"
}

/// A validated search for one page of repositories. Queries that GitHub would always reject cannot be created.
public struct RepositoryQuery: Codable, Hashable, Sendable {
    /// The longest search text, in UTF-8 bytes. Only GitHub can apply its limit of 256 characters, which excludes qualifiers.
    public static let textLimit = 1024
    /// The number of results that GitHub returns for a search, regardless of the number of matches.
    public static let resultLimit = 1000

    /// The search text without surrounding white space. It may contain GitHub's qualifiers, such as `language:swift`.
    public let text: String
    /// The sort criterion.
    public let sort: RepositorySort
    /// The sort order. It has no effect on ``RepositorySort/bestMatch``.
    public let order: SortOrder
    /// The number of the page, from 1.
    public let page: Int
    /// The number of repositories on a page, from 1 to 100.
    public let perPage: Int

    /// Creates a query and validates it.
    ///
    /// - Throws: ``GitHubError`` with the code ``GitHubError/Code/invalidQuery`` if the text is blank or too long, a
    ///   number is out of bounds, or the page begins after the last result that GitHub returns.
    public init(
        text: String, sort: RepositorySort = .bestMatch, order: SortOrder = .descending, page: Int = 1,
        perPage: Int = 30
    ) throws(GitHubError) {
        let text = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        func check(_ isValid: Bool, _ message: @autoclosure () -> String) throws(GitHubError) {
            guard isValid else { throw GitHubError(.invalidQuery, message()) }
        }
        try check(!text.isEmpty, "The search text is blank.")
        try check(
            text.utf8.count <= Self.textLimit,
            "The search text is too long: expected at most \(Self.textLimit) bytes, got \(text.utf8.count).")
        try check((1...100).contains(perPage), "Expected 1 to 100 repositories per page, got \(perPage).")
        try check(page >= 1, "Expected a page number of 1 or more, got \(page).")
        try check(
            page - 1 <= (Self.resultLimit - 1) / perPage,
            "GitHub returns the first \(Self.resultLimit) results only; page \(page) is beyond them.")
        (self.text, self.sort, self.order, self.page, self.perPage) = (text, sort, order, page, perPage)
    }

    /// The path and query below the base address of the API.
    var target: String {
        let sorted = sort == .bestMatch ? "" : "&sort=\(sort.rawValue)&order=\(order.rawValue)"
        // Unlike URLComponents, this escapes `+`, which is part of the text.
        return "/search/repositories?q=\(PercentEncoding.encode(text))\(sorted)&page=\(page)&per_page=\(perPage)"
    }
}
