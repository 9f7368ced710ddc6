public import Foundation

/// A repository as a search shows it.
///
/// Its coded form, which is what a view is sent, has the property names as keys. GitHub's own form is read by the client.
public struct Repository: Codable, Hashable, Identifiable, Sendable {
    /// GitHub's number, which stays when the repository is renamed or moved.
    public let id: Int
    /// Owner and name, `swiftlang/swift`.
    public let fullName: String
    /// The sentence that its owner wrote, `nil` where there is none.
    public let description: String?
    /// How many people have starred it.
    public let stargazersCount: Int
    /// The language that GitHub finds most of, `nil` where it finds none.
    public let language: String?
    /// Whose it is, `nil` where the account is gone.
    public let owner: RepositoryOwner?
    /// The page for people; always `http` or `https`, so that it is safe to link to.
    public let htmlUrl: URL
    /// When the repository's record last changed.
    public let updatedAt: Date

    /// A repository from its parts, for previews and tests.
    public init(
        id: Int, fullName: String, description: String?, stargazersCount: Int, language: String?,
        owner: RepositoryOwner?, htmlUrl: URL, updatedAt: Date
    ) {
        self.id = id
        self.fullName = fullName
        self.description = description
        self.stargazersCount = stargazersCount
        self.language = language
        self.owner = owner
        self.htmlUrl = htmlUrl
        self.updatedAt = updatedAt
    }
}
