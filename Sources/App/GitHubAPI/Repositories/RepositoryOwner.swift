public import Foundation

/// The user or organization that owns a repository.
public struct RepositoryOwner: Codable, Hashable, Sendable {
    /// The name in `github.com/{login}`.
    public let login: String
    /// The URL of the avatar, if there is one. Always an `http` or `https` URL.
    public let avatarUrl: URL?

    /// Creates an owner from its parts, for previews and tests.
    public init(login: String, avatarUrl: URL?) {
        self.login = login
        self.avatarUrl = avatarUrl
    }
}
