import Foundation
import GitHubAPI
import Testing

struct AnswerReaderTests {
    private let query: RepositoryQuery
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        query = try RepositoryQuery(text: "swift", page: 2)
    }

    private func read(
        _ status: Int, _ body: String = "", fields: AnswerFields = ["content-type": "application/json; charset=utf-8"],
        cached: ResponseCache.Entry? = nil
    ) throws -> RepositoryPage {
        let answer = Answer(status: status, fields: fields, body: Data(body.utf8))
        return try AnswerReader(query: query, cached: cached).page(
            of: answer, refusedUntil: AnswerReader.isRateLimitRefusal(answer) ? now + 42 : nil)
    }

    private func failure(_ status: Int, _ body: String = "", fields: AnswerFields? = nil) -> GitHubError? {
        #expect(throws: GitHubError.self) {
            try read(status, body, fields: fields ?? ["content-type": "application/json"])
        }
    }

    @Test func `a page has typed repositories and its position among the pages`() throws {
        let body = GitHubText.page([GitHubText.item()], total: 123_456, isIncomplete: true)
        let page = try read(
            200, body, fields: ["Content-Type": "application/json", "Link": LinkHeaderTests.github])
        let repository = try #require(page.repositories.first)
        #expect(page.repositories.count == 1)
        #expect(page.totalCount == 123_456)
        #expect(page.isIncomplete)
        #expect(page.number == 2)
        #expect(page.nextPage == 3)
        #expect(page.lastPage == 34)
        #expect(repository.id == 44_838_949)
        #expect(repository.fullName == "swiftlang/swift")
        #expect(repository.description == "The Swift language")
        #expect(repository.stargazersCount == 67_000)
        #expect(repository.language == "C++")
        #expect(repository.owner?.login == "swiftlang")
        #expect(repository.owner?.avatarUrl?.absoluteString == "https://avatars.githubusercontent.com/u/42816656?v=4")
        #expect(repository.htmlUrl.absoluteString == "https://github.com/swiftlang/swift")
        #expect(repository.updatedAt == Date(timeIntervalSince1970: 1_714_979_289))
    }

    @Test func `values that GitHub may omit are nil`() throws {
        let item = GitHubText.item(description: "null", language: "null", owner: "null")
        let repository = try #require(try read(200, GitHubText.page([item])).repositories.first)
        #expect(repository.description == nil)
        #expect(repository.language == nil)
        #expect(repository.owner == nil)
    }

    @Test func `a search without results returns an empty last page`() throws {
        let page = try read(200, GitHubText.page([]))
        #expect(page == RepositoryPage(repositories: [], totalCount: 0, number: 2))
    }

    @Test(arguments: ["application/json", "Application/JSON;charset=utf-8", "application/vnd.github+json", ""])
    func `JSON is read with any of its media types`(type: String) throws {
        let fields: AnswerFields = type.isEmpty ? [:] : ["content-type": type]
        #expect(try read(200, GitHubText.page([]), fields: fields).totalCount == 0)
    }

    @Test func `a login page in place of a response is reported as not JSON`() {
        let error = failure(200, "<html>Welcome to the airport</html>", fields: ["content-type": "text/html"])
        #expect(error?.code == .notJSON)
        #expect(
            error?.message
                == "GitHub's answer cannot be read: expected JSON, the content is of type text/html.")
    }

    @Test(arguments: [
        ("nonsense", "it is no JSON"), ("[1]", "the document is of another type, expected an object"),
        ("{}", "/total_count is missing"),
        (
            GitHubText.page([GitHubText.item(description: "7")]),
            "/items/0/description is of another type, expected String"
        ),
        (
            GitHubText.page([GitHubText.item(), GitHubText.item(updated: "yesterday")]),
            "/items/1/updated_at has no valid value"
        ),
        (GitHubText.page([GitHubText.item(page: "javascript:alert(1)")]), "javascript"),
        (GitHubText.page([GitHubText.item(page: "")]), "/items/0/html_url"),
    ])
    func `JSON of an unexpected shape is reported with its location`(body: String, place: String) {
        let error = failure(200, body)
        #expect(error?.code == .notJSON)
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    }

    @Test func `JSON cut off at any byte is reported as truncated`() {
        let body = Array(GitHubText.page([GitHubText.item(description: #""a \"}]} \\""#)]).utf8)
        for end in 1..<body.count {
            let error = failure(200, String(decoding: body[..<end], as: UTF8.self))
            #expect(error?.code == .truncated, "cut at \(end): \(error?.message ?? "")")
        }
        #expect(failure(200, "")?.code == .truncated)
    }

    @Test func `an avatar URL with another scheme is omitted`() throws {
        let owner = #"{"login": "a", "avatar_url": "data:image/png;base64,AA"}"#
        let page = try read(200, GitHubText.page([GitHubText.item(owner: owner)]))
        #expect(page.repositories.first?.owner == RepositoryOwner(login: "a", avatarUrl: nil))
    }

    @Test func `a 304 response returns the cached page`() throws {
        let page = RepositoryPage(repositories: [], totalCount: 5, number: 2, nextPage: 3)
        let entry = ResponseCache.Entry(entityTag: "\"a\"", page: page, byteCount: 1)
        #expect(try read(304, cached: entry) == page)
        #expect(failure(304)?.code == .unexpectedAnswer)
    }

    @Test(arguments: [
        (
            401, GitHubText.badToken, GitHubError.Code.unauthorized,
            "GitHub does not accept the access token (401). It says: Bad credentials"
        ),
        (
            403, #"{"message": "Resource not accessible"}"#, .forbidden,
            "GitHub does not allow this search (403). It says: Resource not accessible"
        ),
        (
            422, GitHubText.invalid, .invalidQuery,
            "GitHub cannot search for this (422). It says: Validation Failed – None of the search qualifiers apply."
        ),
        (
            422, #"{"message": "Validation Failed", "errors": [{"field": "q", "code": "missing"}, "and so on"]}"#,
            .invalidQuery,
            "GitHub cannot search for this (422). It says: Validation Failed – q: missing – and so on"
        ),
        (500, "", .serverFailed, "GitHub has a problem and could not answer (500)."),
        (503, "<html>unicorn</html>", .serverFailed, "GitHub has a problem and could not answer (503)."),
        (
            404, #"{"message": "Not Found"}"#, .unexpectedAnswer,
            "GitHub gave an answer that is not understood (404). It says: Not Found"
        ),
        (204, "", .unexpectedAnswer, "GitHub gave an answer that is not understood (204)."),
    ])
    func `an error response is reported`(status: Int, body: String, code: GitHubError.Code, message: String) {
        let error = failure(status, body)
        #expect(error?.code == code)
        #expect(error?.message == message)
        #expect(error?.status == status)
        #expect(error?.retryAt == nil)
    }

    @Test(
        arguments: [
            (429, "", AnswerFields()), (429, GitHubText.secondaryLimit, [:]), (403, GitHubText.secondaryLimit, [:]),
            (403, GitHubText.rateLimit, ["x-ratelimit-remaining": "0"]), (403, "", ["x-ratelimit-remaining": "0"]),
            (403, "", ["Retry-After": "60"]),
        ] as [(Int, String, AnswerFields)])
    func `a rate limit is distinguished from other errors and reported with its end`(
        status: Int, body: String, fields: AnswerFields
    ) {
        let error = failure(status, body, fields: fields)
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAt == now + 42)
        #expect(error?.message == "GitHub takes no more searches until 22:14:02 UTC: its rate limit is used up.")
    }

    @Test func `a redirect that was not followed is reported with its target`() {
        let error = failure(302, "", fields: ["Location": "https://elsewhere.example/\u{7}x"])
        #expect(error?.code == .redirected)
        #expect(
            error?.message
                == "GitHub's address redirects to https://elsewhere.example/ x (302), which is not followed.")
    }

    @Test func `GitHub's message is shortened and kept on one line`() {
        let error = failure(500, #"{"message": "a\n\u202eb\#(String(repeating: "c", count: 1_000))"}"#)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("GitHub has a problem and could not answer (500). It says: a  bccc"))
        #expect(message.count < 280)
        #expect(message.hasSuffix("…"))
    }
}
