import Testing

@testable import GitHubAPI

struct RepositoryQueryTests {
    @Test func `white space around the text is removed`() throws {
        #expect(try RepositoryQuery(text: " \n swift  nio\t").text == "swift  nio")
    }

    @Test(arguments: ["", " ", "\n\t \u{3000}"])
    func `a blank text is rejected`(text: String) {
        let error = #expect(throws: GitHubError.self) { try RepositoryQuery(text: text) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message == "The search text is blank.")
    }

    @Test func `a text of the maximum length is accepted, and one more byte is rejected`() throws {
        let longest = String(repeating: "é", count: RepositoryQuery.textLimit / 2)
        #expect(try RepositoryQuery(text: longest).text == longest)
        let error = #expect(throws: GitHubError.self) { try RepositoryQuery(text: longest + "x") }
        #expect(error?.message == "The search text is too long: expected at most 1024 bytes, got 1025.")
    }

    @Test(arguments: [(0, 30), (-1, 30), (1, 0), (1, 101), (35, 30), (11, 100), (1001, 1), (Int.max, 100)])
    func `an invalid page is rejected`(page: Int, perPage: Int) {
        let error = #expect(throws: GitHubError.self) {
            try RepositoryQuery(text: "swift", page: page, perPage: perPage)
        }
        #expect(error?.code == .invalidQuery)
        #expect(error?.status == nil)
    }

    @Test(arguments: [(1, 1), (1, 100), (34, 30), (10, 100), (1000, 1)])
    func `a page that begins within the first thousand results is accepted`(page: Int, perPage: Int) throws {
        let query = try RepositoryQuery(text: "swift", page: page, perPage: perPage)
        #expect(query.page == page)
        #expect(query.perPage == perPage)
    }

    @Test func `the best match is requested without a sort or an order`() throws {
        let query = try RepositoryQuery(text: "swift")
        #expect(query.target == "/search/repositories?q=swift&page=1&per_page=30")
    }

    @Test(arguments: [
        (RepositorySort.stars, "stars"), (.forks, "forks"), (.helpWantedIssues, "help-wanted-issues"),
        (.updated, "updated"),
    ])
    func `a sort is sent with its order`(sort: RepositorySort, name: String) throws {
        let query = try RepositoryQuery(text: "x", sort: sort, order: .ascending, page: 2, perPage: 5)
        #expect(query.target == "/search/repositories?q=x&sort=\(name)&order=asc&page=2&per_page=5")
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a+b", "a%2Bb"), ("c#", "c%23"), ("a&page=9", "a%26page%3D9"), ("50%", "50%25"),
        ("language:swift stars:>10", "language%3Aswift%20stars%3A%3E10"), ("\"exact\"", "%22exact%22"),
        ("naïve", "na%C3%AFve"), ("検索", "%E6%A4%9C%E7%B4%A2"), ("👩‍💻", "%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB"),
        ("a-b.c_d~e", "a-b.c_d~e"), ("a/b?c", "a%2Fb%3Fc"), ("a\r\nHost: b", "a%0D%0AHost%3A%20b"),
        ("a\u{0}b", "a%00b"),
    ])
    func `every character that is not unreserved is escaped`(text: String, escaped: String) throws {
        let query = try RepositoryQuery(text: text)
        #expect(query.target == "/search/repositories?q=\(escaped)&page=1&per_page=30")
    }
}
