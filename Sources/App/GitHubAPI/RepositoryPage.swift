public import Foundation

/// One page of the results of a search.
public struct RepositoryPage: Codable, Hashable, Sendable {
    /// The repositories, in the requested order.
    public var repositories: [Repository]
    /// The total number of matches. GitHub returns only the first thousand of them.
    public var totalCount: Int
    /// Whether the search timed out at GitHub, so that matches may be missing.
    public var isIncomplete = false
    /// The number of this page, from 1.
    public var number = 1
    /// The numbers of the next and the last page; nil on the last page, and if GitHub does not state them.
    public var nextPage, lastPage: Int?
}

/// A repository in the results of a search. Its encoded form has the names of the properties; GitHub's are the same in snake case.
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
    /// The user or organization, or `nil` if the account no longer exists.
    public let owner: RepositoryOwner?
    /// The URL of the repository's page. Always an `http` or `https` URL, so that it is safe to link to.
    public let htmlUrl: URL
    /// The time of the last change to the repository's record.
    public let updatedAt: Date
}

/// The user or organization that owns a repository.
public struct RepositoryOwner: Codable, Hashable, Sendable {
    /// The name in `github.com/{login}`.
    public let login: String
    /// The URL of the avatar, if there is one. Always an `http` or `https` URL.
    public let avatarUrl: URL?
}

extension RepositoryOwner {
    /// Decodes an owner, without an avatar whose URL is invalid or has another scheme.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        login = try container.decode(String.self, forKey: .login)
        do {
            let url = try container.decodeIfPresent(URL.self, forKey: .avatarUrl)
            avatarUrl = url?.isOnTheWeb == true ? url : nil
        } catch DecodingError.dataCorrupted {
            avatarUrl = nil
        }
    }
}

extension URL {
    /// Whether the scheme is `http` or `https`.
    var isOnTheWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
