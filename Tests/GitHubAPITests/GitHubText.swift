import Foundation

/// Bodies in the shape that GitHub documents for `GET /search/repositories`.
enum GitHubText {
    static func item(
        id: Int = 44_838_949, name: String = "swiftlang/swift", description: String = #""The Swift language""#,
        stars: Int = 67_000, language: String = #""C++""#, page: String = "https://github.com/swiftlang/swift",
        owner: String? = nil, updated: String = "2024-05-06T07:08:09Z"
    ) -> String {
        let login = name.prefix { $0 != "/" }
        let someone =
            owner ?? """
                {"login": "\(login)", "id": 42816656, "node_id": "x", "type": "Organization", "site_admin": false,
                 "avatar_url": "https://avatars.githubusercontent.com/u/42816656?v=4", "url": "https://api.github.com/x"}
                """
        return """
            {"id": \(id), "node_id": "MDEwOlJlcG9zaXRvcnk0NDgzODk0OQ==", "name": "swift", "full_name": "\(name)",
             "private": false, "owner": \(someone), "html_url": "\(page)", "description": \(description),
             "fork": false, "created_at": "2015-10-23T21:15:07Z", "updated_at": "\(updated)",
             "pushed_at": "2024-05-06T07:00:00Z", "homepage": "https://swift.org", "size": 1000,
             "stargazers_count": \(stars), "watchers_count": \(stars), "language": \(language), "topics": [],
             "license": {"key": "apache-2.0", "name": "Apache License 2.0"}, "score": 1.0}
            """
    }

    static func page(_ items: [String], total: Int? = nil, isIncomplete: Bool = false) -> String {
        """
        {"total_count": \(total ?? items.count), "incomplete_results": \(isIncomplete),
         "items": [\(items.joined(separator: ", "))]}
        """
    }

    static let badToken = #"{"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"}"#

    static let rateLimit = """
        {"message": "API rate limit exceeded for 192.0.2.1. (But here's the good news: …)", \
        "documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"}
        """

    static let secondaryLimit = """
        {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", \
        "documentation_url": "https://docs.github.com/free-pro-team@latest/rest/overview/rate-limits"}
        """

    static let invalid = """
        {"message": "Validation Failed", "errors": [{"message": "None of the search qualifiers apply.", \
        "resource": "Search", "field": "q", "code": "invalid"}], "documentation_url": "https://docs.github.com"}
        """
}
