/// One page of the results of a search.
public struct RepositoryPage: Codable, Hashable, Sendable {
    /// The repositories, in the requested order.
    public let repositories: [Repository]
    /// The total number of matches. GitHub returns only the first thousand of them.
    public let totalCount: Int
    /// Whether the search timed out at GitHub, so that matches may be missing.
    public let isIncomplete: Bool
    /// The number of this page, from 1.
    public let number: Int
    /// The number of the next page, or `nil` on the last page.
    public let nextPage: Int?
    /// The number of the last page, or `nil` if GitHub does not state it, as on the last page.
    public let lastPage: Int?

    /// Creates a page from its parts, for previews and tests.
    public init(
        repositories: [Repository], totalCount: Int, isIncomplete: Bool = false, number: Int = 1, nextPage: Int? = nil,
        lastPage: Int? = nil
    ) {
        self.repositories = repositories
        self.totalCount = totalCount
        self.isIncomplete = isIncomplete
        self.number = number
        self.nextPage = nextPage
        self.lastPage = lastPage
    }
}
