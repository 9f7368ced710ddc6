import GitHubAPI
import Testing

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
}
