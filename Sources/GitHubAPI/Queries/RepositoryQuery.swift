/// One page of one search for repositories, checked when it is made: what GitHub would refuse in any case never
/// becomes a request.
public struct RepositoryQuery: Hashable, Sendable {
    /// The longest text that is sent, in bytes of UTF-8. GitHub's own limit, 256 characters, leaves out qualifiers and
    /// operators; only GitHub can count it.
    public static let textLimit = 1024
    /// A search has no more results than these, however many it counts.
    public static let resultLimit = 1000

    /// What is looked for, without white space round it; GitHub's qualifiers (`language:swift`) are part of it.
    public let text: String
    /// What comes first.
    public let sort: RepositorySort
    /// Whether the greatest or the least comes first; the best match has no order.
    public let order: SortOrder
    /// Which page, from 1.
    public let page: Int
    /// How many repositories a page holds, 1 to 100.
    public let perPage: Int

    /// Checks what is asked for.
    ///
    /// - Throws: ``GitHubError`` with the code ``GitHubError/Code/invalidQuery``: the text is blank or too long, a
    ///   number is out of bounds, or the page begins behind the last result that a search can have.
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

    /// The same search, another page of it.
    ///
    /// - Throws: ``GitHubError`` with the code ``GitHubError/Code/invalidQuery`` if there cannot be such a page.
    public func atPage(_ page: Int) throws(GitHubError) -> RepositoryQuery {
        try RepositoryQuery(text: text, sort: sort, order: order, page: page, perPage: perPage)
    }

    private func check() throws(GitHubError) {
        guard !text.isEmpty else { throw .invalidQuery("There is nothing to search for: the text is blank.") }
        guard text.utf8.count <= Self.textLimit else {
            throw .invalidQuery(
                "The text to search for is too long: \(text.utf8.count) bytes, at most \(Self.textLimit) are sent.")
        }
        guard (1...100).contains(perPage) else {
            throw .invalidQuery("A page holds 1 to 100 repositories, not \(perPage).")
        }
        guard page >= 1 else { throw .invalidQuery("Pages are counted from 1, there is no page \(page).") }
        guard page - 1 <= (Self.resultLimit - 1) / perPage else {
            throw .invalidQuery("GitHub shows the first \(Self.resultLimit) results only, page \(page) is behind them.")
        }
    }
}
