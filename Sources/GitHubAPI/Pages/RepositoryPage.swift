/// One page of a search's results, and where it stands among the others.
public struct RepositoryPage: Hashable, Sendable {
    /// The repositories, in the order that was asked for.
    public let repositories: [Repository]
    /// How many GitHub has found in all, also where it shows only the first thousand.
    public let totalCount: Int
    /// Whether GitHub ran out of time and has looked at a part only.
    public let isIncomplete: Bool
    /// Which page this is, from 1.
    public let number: Int
    /// The page behind this one, `nil` on the last.
    public let nextPage: Int?
    /// The last page, `nil` where GitHub does not say (on the last page itself it does not).
    public let lastPage: Int?

    /// A page from its parts, for previews and tests.
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
