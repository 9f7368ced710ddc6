/// A validated search for one page of repositories. Queries that GitHub would always reject cannot be created.
public struct RepositoryQuery: Codable, Hashable, Sendable {
    // GitHub's limit of 256 characters does not count qualifiers and operators, which only GitHub can recognize.
    /// The longest search text, in UTF-8 bytes.
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
        let trimmed = text.drop { $0.isWhitespace }
        let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.startIndex
        self.text = String(trimmed[..<end])
        self.sort = sort
        self.order = order
        self.page = page
        self.perPage = perPage
        try check()
    }

    private func check() throws(GitHubError) {
        guard !text.isEmpty else { throw .invalidQuery("The search text is blank.") }
        guard text.utf8.count <= Self.textLimit else {
            throw .invalidQuery(
                "The search text is too long: expected at most \(Self.textLimit) bytes, got \(text.utf8.count).")
        }
        guard (1...100).contains(perPage) else {
            throw .invalidQuery("Expected 1 to 100 repositories per page, got \(perPage).")
        }
        guard page >= 1 else { throw .invalidQuery("Expected a page number of 1 or more, got \(page).") }
        guard page - 1 <= (Self.resultLimit - 1) / perPage else {
            throw .invalidQuery(
                "GitHub returns the first \(Self.resultLimit) results only; page \(page) is beyond them.")
        }
    }
}
