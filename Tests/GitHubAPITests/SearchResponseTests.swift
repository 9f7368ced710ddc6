import Foundation
import Testing

@testable import GitHubAPI
@testable import HTTPTransfer

struct SearchResponseTests {
    private static let json = [("Content-Type", "application/json; charset=utf-8")]
    private static let link = """
        <https://api.github.com/search/repositories?q=swift&page=1>; rel="prev", \
        <https://api.github.com/search/repositories?q=swift&page=3>; rel="next", \
        <https://api.github.com/search/repositories?q=swift&page=34>; rel="last", \
        <https://api.github.com/search/repositories?q=swift&page=1>; rel="first"
        """

    private static func response(_ status: Int, _ body: String, _ fields: [(String, String)]) -> TransferResponse {
        TransferResponse(head: TransferHead(status: status, fields: fields), body: Array(body.utf8))
    }

    private func read(
        _ status: Int, _ body: String = "", fields: [(String, String)] = json, cached: RepositoryPage? = nil
    ) throws -> RepositoryPage {
        try Self.response(status, body, fields).page(2, cached: cached)
    }

    private func failure(_ status: Int, _ body: String = "", fields: [(String, String)] = json) -> GitHubError? {
        #expect(throws: GitHubError.self) { try read(status, body, fields: fields) }
    }

    private func nextPage(_ links: String...) throws -> Int? {
        try read(200, GitHubText.page([]), fields: links.map { ("Link", $0) }).nextPage
    }

    @Test func `a page has typed repositories and its position among the pages`() throws {
        let body = GitHubText.page([GitHubText.item()], total: 123_456, isIncomplete: true)
        let page = try read(
            200, body, fields: Self.json + [("Link", Self.link)])
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
        let fields = type.isEmpty ? [] : [("content-type", type)]
        #expect(try read(200, GitHubText.page([]), fields: fields).totalCount == 0)
    }

    @Test func `a login page in place of a response is reported as not JSON`() {
        let error = failure(200, "<html>Welcome to the airport</html>", fields: [("content-type", "text/html")])
        #expect(error?.code == .notJSON)
        #expect(
            error?.message
                == "GitHub's response is invalid: expected JSON, got content of type text/html.")
    }

    @Test(arguments: [
        ("nonsense", "it is not JSON"), ("[1]", "the document: expected an object, got another type"),
        ("{}", "/total_count is missing"),
        (
            GitHubText.page([GitHubText.item(description: "7")]),
            "/items/0/description: expected String, got another type"
        ),
        (
            GitHubText.page([GitHubText.item(), GitHubText.item(updated: "yesterday")]),
            "the value of /items/1/updated_at is invalid"
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

    @Test(arguments: ["data:image/png;base64,AA", "javascript:x", "", "http://["])
    func `an avatar with an invalid URL or another scheme is omitted`(url: String) throws {
        let owner = #"{"login": "a", "avatar_url": "\#(url)"}"#
        let page = try read(200, GitHubText.page([GitHubText.item(owner: owner)]))
        #expect(page.repositories.first?.owner == RepositoryOwner(login: "a", avatarUrl: nil))
    }

    @Test func `a page can be encoded with the names of its properties and decoded`() throws {
        let page = try read(200, GitHubText.page([GitHubText.item()]), fields: [("Link", Self.link)])
        let json = try JSONEncoder().encode(page)
        #expect(String(decoding: json, as: UTF8.self).contains(#""avatarUrl":"#))
        #expect(try JSONDecoder().decode(RepositoryPage.self, from: json) == page)
    }

    @Test func `a 304 response returns the cached page`() throws {
        let page = RepositoryPage(repositories: [], totalCount: 5, number: 2, nextPage: 3)
        #expect(try read(304, cached: page) == page)
        #expect(failure(304)?.code == .unexpectedResponse)
    }

    @Test(arguments: [
        (
            401, GitHubText.badToken, GitHubError.Code.unauthorized,
            "GitHub rejected the access token (401). GitHub's message: Bad credentials"
        ),
        (
            403, #"{"message": "Resource not accessible"}"#, .forbidden,
            "GitHub denied access to this search (403). GitHub's message: Resource not accessible"
        ),
        (
            422, GitHubText.invalid, .invalidQuery,
            "GitHub rejected the search as invalid (422). GitHub's message: Validation Failed – None of the search qualifiers apply."
        ),
        (
            422, #"{"message": "Validation Failed", "errors": [{"field": "q", "code": "missing"}, "and so on"]}"#,
            .invalidQuery,
            "GitHub rejected the search as invalid (422). GitHub's message: Validation Failed – q: missing – and so on"
        ),
        (500, "", .serverFailed, "GitHub failed to process the request (500)."),
        (503, "<html>unicorn</html>", .serverFailed, "GitHub failed to process the request (503)."),
        (
            404, #"{"message": "Not Found"}"#, .unexpectedResponse,
            "GitHub responded with an unexpected status (404). GitHub's message: Not Found"
        ),
        (204, "", .unexpectedResponse, "GitHub responded with an unexpected status (204)."),
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
            (429, "", []), (429, GitHubText.secondaryLimit, []), (403, GitHubText.secondaryLimit, []),
            (403, GitHubText.rateLimit, [("x-ratelimit-remaining", "0")]), (403, "", [("X-RateLimit-Remaining", "0")]),
            (403, "", [("Retry-After", "60")]),
        ] as [(Int, String, [(String, String)])])
    func `a rate limit is distinguished from other errors`(status: Int, body: String, fields: [(String, String)]) {
        #expect(Self.response(status, body, fields).isRateLimitError)
    }

    @Test(arguments: [(200, "1"), (401, "0"), (403, "1"), (500, "0")])
    func `another response is no rate limit error`(status: Int, remaining: String) {
        let response = Self.response(status, #"{"message": "No"}"#, [("x-ratelimit-remaining", remaining)])
        #expect(!response.isRateLimitError)
    }

    @Test func `a redirect that was not followed is reported with its target`() {
        let error = failure(302, "", fields: [("Location", "https://elsewhere.example/\u{7}x")])
        #expect(error?.code == .redirected)
        #expect(
            error?.message
                == "GitHub redirected the request to https://elsewhere.example/ x (302); this redirect is not followed."
        )
    }

    @Test func `GitHub's message is shortened and kept on one line`() {
        let error = failure(500, #"{"message": "a\n\u202eb\#(String(repeating: "c", count: 1_000))"}"#)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("GitHub failed to process the request (500). GitHub's message: a  bccc"))
        #expect(message.count < 280)
        #expect(message.hasSuffix("…"))
    }

    @Test(arguments: [
        #"<a?page=2>; rel=next"#, #"<a?page=2>;rel="next""#, #"<a?page=2> ; REL = "next""#,
        #"<a?page=2>; title="a, b; c=\"d\""; rel=next"#, #"<a?page=2>; rel="prefetch next""#,
        #", ,<a?page=2>; rel="NEXT","#, #"<a?page=2>;; rel=next"#, #"<a?page=2>; crossorigin; rel=next"#,
        #"<a?page=2>; rel=next; rel=last"#, "<a?page=2>;\trel=next", #"<x>; rel=last, <a?page=2>; rel=next"#,
        #"<x,y;z>; rel=last , <a?page=2>; rel=next"#, #"<a?page=2>; rel=next, <a?page=7>; rel=next"#,
        #"<a?page=2>; rel=next, this is broken"#, #"<a?page=2>; rel="next"#, #"<a?page=2>; rel="ne\xt""#,
        #"<a?page=9>; rel=next; anchor="https://elsewhere.example", <a?page=2>; rel=next"#,
        #"<a?page=9>; title="\"; rel=next; , <a?page=8>; rel=next", <a?page=2>; rel=next"#,
    ])
    func `every form of a link that RFC 8288 allows is read, and invalid parts are skipped`(link: String) throws {
        #expect(try nextPage(link) == 2)
    }

    @Test(arguments: [
        "", "   ", "next", "a?page=2; rel=next", "<a?page=2; rel=next", "<a?page=2>", "<a?page=2> rel=next",
        #"<a?page=2>; title="rel=next""#, #"<a?page=2>; rel=last; rel=next"#, "broken <a?page=2>; rel=next",
        #"<a?page=2>; rel="nextish""#, "broken, <a?page=2>; rel=next", #"<a?page=2>; title="; rel=next""#,
        "<a?page=2>; rel=", "<a?page=2>; rel", "<a?page=2>; next; rel=rel",
    ])
    func `values without a link of that relation have no page`(link: String) throws {
        #expect(try nextPage(link) == nil)
    }

    @Test(arguments: [
        ("<a?q=x&page=3&per_page=30>; rel=next", 3), ("<a?per_page=30&page=4#page=5>; rel=next", 4),
        ("<?page=5>; rel=next", 5), ("<a?per_page=3>; rel=next", nil), ("<a?page=>; rel=next", nil),
        ("<a?page=0>; rel=next", nil), ("<a?page=-1>; rel=next", nil), ("<a?page=two>; rel=next", nil),
        ("<a?page=99999999999999999999>; rel=next", nil), ("<a/page=2>; rel=next", nil), ("<>; rel=next", nil),
        ("<a#b?c>; rel=next", nil), ("<https://elsewhere.example/x?page=6>; rel=next", 6),
    ])
    func `a page number is read from the link's query only`(link: String, page: Int?) throws {
        #expect(try nextPage(link) == page)
    }

    @Test func `links that are longer than GitHub's are not read`() throws {
        #expect(try nextPage("<x?page=2>; rel=next", String(repeating: "<", count: 8 << 10)) == nil)
    }

    @Test func `links of several fields are read`() throws {
        #expect(try nextPage("<a?page=1>; rel=prev", "<a?page=3>; rel=next") == 3)
    }

    @Test func `a truncated field never yields a page that the whole field does not name`() throws {
        for end in Self.link.indices {
            let page = try nextPage(String(Self.link[..<end]))
            #expect(page == nil || page == 3)
        }
    }

    @Test func `a field of arbitrary bytes is read without a fault`() throws {
        var state: UInt64 = 7
        let alphabet = Array(#"<>;,"\= relnxt?page1é"#.utf8)
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return alphabet[Int(state >> 33) % alphabet.count]
            }
            let page = try nextPage(String(decoding: bytes, as: UTF8.self))
            #expect(page == nil || page.map(String.init)?.allSatisfy { $0 == "1" } == true)
        }
    }
}
