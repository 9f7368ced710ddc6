public import Foundation

/// The user or organisation that a repository belongs to.
public struct RepositoryOwner: Codable, Hashable, Sendable {
    /// The name in `github.com/{login}`.
    public let login: String
    /// The picture, `nil` where GitHub names none; always `http` or `https`.
    public let avatarUrl: URL?

    /// An owner from its parts, for previews and tests.
    public init(login: String, avatarUrl: URL?) {
        self.login = login
        self.avatarUrl = avatarUrl
    }
}
