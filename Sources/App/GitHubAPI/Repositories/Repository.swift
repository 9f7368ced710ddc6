public import Foundation

/// A repository in the results of a search.
///
/// Its encoded form uses the property names as keys. It differs from GitHub's format, which the client decodes itself.
public struct Repository: Codable, Hashable, Identifiable, Sendable {
    /// GitHub's identifier, which does not change when the repository is renamed or moved.
    public let id: Int
    /// Owner and name, such as `swiftlang/swift`.
    public let fullName: String
    /// The owner's description, if there is one.
    public let description: String?
    /// The number of stars.
    public let stargazersCount: Int
    /// The predominant programming language, if GitHub detected one.
    public let language: String?
    /// The owner, or `nil` if the account no longer exists.
    public let owner: RepositoryOwner?
    /// The URL of the repository's page. Always an `http` or `https` URL, so that it is safe to link to.
    public let htmlUrl: URL
    /// The time of the last change to the repository's record.
    public let updatedAt: Date

    /// Creates a repository from its parts, for previews and tests.
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
