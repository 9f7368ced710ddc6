import Foundation

/// A page of results in GitHub's format, reduced to the members that the client reads.
struct SearchDocument: Decodable {
    struct Item: Decodable {
        var id: Int
        var fullName: String
        var description: String?
        var stargazersCount: Int
        var language: String?
        var owner: Owner?
        var htmlUrl: URL
        var updatedAt: Date

        enum CodingKeys: String, CodingKey {
            case id, description, language, owner
            case fullName = "full_name"
            case stargazersCount = "stargazers_count"
            case htmlUrl = "html_url"
            case updatedAt = "updated_at"
        }
    }

    struct Owner: Decodable {
        var login: String
        var avatarUrl: String?

        enum CodingKeys: String, CodingKey {
            case login
            case avatarUrl = "avatar_url"
        }
    }

    var totalCount: Int
    var incompleteResults: Bool
    var items: [Item]

    enum CodingKeys: String, CodingKey {
        case totalCount = "total_count"
        case incompleteResults = "incomplete_results"
        case items
    }
}

extension SearchDocument {
    /// Decodes a page of results.
    ///
    /// - Throws: `DecodingError`, or ``UnsafeLink`` for a repository whose URL is not an `http` or `https` URL.
    static func repositories(in body: Data) throws -> (repositories: [Repository], total: Int, isIncomplete: Bool) {
        let decoder = JSONDecoder()
        // Foundation's `.iso8601` strategy reports an invalid date at the coding path of its parent.
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = try? Date(container.decode(String.self), strategy: .iso8601) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected an ISO 8601 date")
            }
            return date
        }
        let document = try decoder.decode(SearchDocument.self, from: body)
        return (try document.items.map { try $0.repository() }, document.totalCount, document.incompleteResults)
    }
}

/// The URL of a repository that is unsafe to link to, such as a `javascript:` URL.
struct UnsafeLink: Error {
    var scheme: String
}

extension SearchDocument.Item {
    fileprivate func repository() throws(UnsafeLink) -> Repository {
        guard htmlUrl.isOnTheWeb else { throw UnsafeLink(scheme: htmlUrl.scheme ?? "") }
        return Repository(
            id: id, fullName: fullName, description: description, stargazersCount: stargazersCount,
            language: language, owner: owner?.owner, htmlUrl: htmlUrl, updatedAt: updatedAt)
    }
}

extension SearchDocument.Owner {
    fileprivate var owner: RepositoryOwner {
        let picture = avatarUrl.flatMap { URL(string: $0) }.flatMap { $0.isOnTheWeb ? $0 : nil }
        return RepositoryOwner(login: login, avatarUrl: picture)
    }
}

extension URL {
    /// Whether the scheme is `http` or `https`.
    var isOnTheWeb: Bool {
        ["http", "https"].contains(scheme?.lowercased())
    }
}
