import CombineCore
import Foundation
import GitHubAPI
import HTTPModel
import HTTPServerTesting
import Locking
import Testing

@Suite struct GitHubClientTests {
    private let query: RepositoryQuery
    private let page = GitHubText.page([GitHubText.item()], total: 99)

    init() throws {
        query = try RepositoryQuery(text: "swift nio", sort: .stars, page: 2, perPage: 10)
    }

    @Test func `a search is sent in the form that GitHub requires`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let result = try await stub.client(path: "/api/v3/").page(query)
            #expect(result.repositories.map(\.fullName) == ["swiftlang/swift"])
            let request = try #require(stub.requests.first)
            #expect(request.method == .get)
            #expect(
                request.target
                    == "/api/v3/search/repositories?q=swift%20nio&sort=stars&order=desc&page=2&per_page=10")
            #expect(request.fields.values(.accept) == ["application/vnd.github+json"])
            #expect(request.fields.values("x-github-api-version") == ["2022-11-28"])
            #expect(request.fields.values(.userAgent) == ["granary-tests"])
            #expect(!request.fields.contains(.authorization))
            #expect(!request.fields.contains(.ifNoneMatch))
            #expect(!request.fields.contains(.cookie))
        }
    }

    @Test func `the token is sent with the request`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            _ = try await stub.client(token: "ghp_secret").page(query)
            #expect(stub.requests.map { $0.fields.values(.authorization) } == [["Bearer ghp_secret"]])
        }
    }

    @Test func `a page names the pages before and after it`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(
                200, page,
                [.link: #"<http://elsewhere.example/x?page=3>; rel="next", <http://a.example/x?page=9>; rel="last""#])
        } test: { stub in
            let result = try await stub.client().page(query)
            #expect(result.nextPage == 3)
            #expect(result.lastPage == 9)
            #expect(result.totalCount == 99)
            #expect(result.number == 2)
        }
    }

    @Test func `text in any script is sent and received unchanged`() async throws {
        let page = GitHubText.page([GitHubText.item(description: #""検索 – naïve 👩‍💻""#)])
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let result = try await stub.client().page(try RepositoryQuery(text: "検索 a+b&c"))
            #expect(result.repositories.first?.description == "検索 – naïve 👩‍💻")
            #expect(stub.requests.first?.queryValue("q") == "検索 a+b&c")
        }
    }

    @Test func `concurrent searches each receive their own response`() async throws {
        try await GitHubStub.run { request, _ in
            let number = Int(request.queryValue("q") ?? "") ?? 0
            return .json(200, GitHubText.page([GitHubText.item(id: number)], total: number))
        } test: { stub in
            let client = try stub.client()
            try await withThrowingTaskGroup(of: (Int, Int?, Int).self) { group in
                for number in 1...40 {
                    group.addTask {
                        let page = try await client.page(try RepositoryQuery(text: "\(number)"))
                        return (number, page.repositories.first?.id, page.totalCount)
                    }
                }
                for try await (number, id, total) in group {
                    #expect(id == number)
                    #expect(total == number)
                }
            }
            #expect(stub.requests.count == 40)
        }
    }

    @Test func `an unchanged page is revalidated and not sent again`() async throws {
        let page = page
        try await GitHubStub.run { request, _ in
            request.fields.value(.ifNoneMatch) == "W/\"one\""
                ? .json(304, "", [.eTag: "W/\"one\""])
                : .json(200, page, [.eTag: "W/\"one\"", .link: "<x?page=3>; rel=next"])
        } test: { stub in
            let client = try stub.client()
            let first = try await client.page(query)
            let second = try await client.page(query)
            #expect(first == second)
            #expect(second.nextPage == 3)
            _ = try await client.page(
                RepositoryQuery(text: query.text, sort: query.sort, page: 1, perPage: query.perPage))
            #expect(stub.requests.map { $0.fields.value(.ifNoneMatch) } == [nil, "W/\"one\"", nil])
        }
    }

    @Test func `a changed page replaces the cached one`() async throws {
        try await GitHubStub.run { _, number in
            .json(200, GitHubText.page([], total: number), [.eTag: HTTPFieldValue("\"\(number)\"") ?? "\"x\""])
        } test: { stub in
            let client = try stub.client()
            for number in 0..<3 {
                let found = try await client.page(query).totalCount
                #expect(found == number)
            }
            #expect(stub.requests.map { $0.fields.value(.ifNoneMatch) } == [nil, "\"0\"", "\"1\""])
        }
    }

    @Test func `without an entity tag or a cache, the whole page is requested again`() async throws {
        let page = page
        try await GitHubStub.run { _, number in
            .json(200, page, number == 0 ? [.eTag: "\"a\""] : [:])
        } test: { stub in
            let client = try stub.client()
            for _ in 0..<3 { _ = try await client.page(query) }
            #expect(stub.requests.map { $0.fields.value(.ifNoneMatch) } == [nil, "\"a\"", nil])
        }
        try await GitHubStub.run { _, _ in
            .json(200, page, [.eTag: "\"a\""])
        } test: { stub in
            let client = try stub.client(cacheEntries: 0)
            for _ in 0..<2 { _ = try await client.page(query) }
            #expect(stub.requests.map { $0.fields.value(.ifNoneMatch) } == [nil, nil])
        }
    }

    /// Searches for each text, gets a page of the given size, or 304 if it is 0, and returns which of the requests were conditional.
    private func revalidations(
        _ searches: KeyValuePairs<String, Int>, entries: Int = 10, bytes: Int = 4_000
    ) async throws -> [Bool] {
        var found: [Bool] = []
        let sizes = searches.map(\.value)
        try await GitHubStub.run { _, number in
            guard sizes[number] > 0 else { return .json(304, "") }
            let page = GitHubText.page([])
            return .json(200, page + String(repeating: " ", count: sizes[number] - page.utf8.count), [.eTag: "\"a\""])
        } test: { stub in
            let client = try stub.client(cacheEntries: entries, cacheBytes: bytes)
            for (text, _) in searches { _ = try await client.page(try RepositoryQuery(text: text)) }
            found = stub.requests.map { $0.fields.contains(.ifNoneMatch) }
        }
        return found
    }

    @Test func `the least recently used page is evicted when the number of pages exceeds the limit`() async throws {
        let found = try await revalidations(["a": 100, "b": 100, "a": 0, "c": 100, "a": 0, "b": 100], entries: 2)
        #expect(found == [false, false, true, false, true, false])
    }

    @Test func `as many pages as necessary are evicted when the number of bytes exceeds the limit`() async throws {
        let found = try await revalidations([
            "a": 1_000, "b": 1_000, "c": 1_000, "d": 1_000, "a": 1_000, "b": 1_000, "c": 1_000, "d": 1_000,
            "e": 2_400, "d": 1_000, "e": 3_000, "d": 1_000, "c": 1_000,
        ])
        #expect(found == [false, false, false, false, true, true, true, true, false, true, true, true, false])
    }

    @Test func `a page larger than the cache is not stored, and replaces only its older version`() async throws {
        let found = try await revalidations(["a": 1_000, "b": 1_000, "b": 4_001, "b": 4_001, "a": 1_000])
        #expect(found == [false, false, true, false, true])
    }

    @Test(arguments: [(0, 1_000), (10, 0)])
    func `a cache without capacity stores nothing`(entries: Int, bytes: Int) async throws {
        #expect(try await revalidations(["a": 100, "a": 100], entries: entries, bytes: bytes) == [false, false])
    }

    @Test func `a 304 response without an entity tag keeps the cached page`() async throws {
        let page = page
        try await GitHubStub.run { _, number in
            number == 0 ? .json(200, page, [.eTag: "\"a\""]) : .json(304, "")
        } test: { stub in
            let client = try stub.client()
            for _ in 0..<3 {
                let found = try await client.page(query).totalCount
                #expect(found == 99)
            }
            #expect(stub.requests.map { $0.fields.value(.ifNoneMatch) } == [nil, "\"a\"", "\"a\""])
        }
    }

    @Test func `a search cancelled in flight counts as used and as finished`() async throws {
        let page = page
        try await GitHubStub.run { _, number in
            guard number == 1 else { return .silence }
            return .json(200, page, ["x-ratelimit-remaining": "1", "x-ratelimit-reset": "1700000060"])
        } test: { stub in
            let client = try stub.client()
            /// Sends a search and cancels it once the stub has received it.
            func cancelSearch() async {
                let number = stub.requests.count + 1
                let subscription = client.searchRepositories(query).sink(
                    receiveCompletion: { _ in }, receiveValue: { _ in })
                #expect(await eventually { stub.requests.count == number })
                subscription.cancel()
            }
            await cancelSearch()
            _ = try await client.page(query)
            await cancelSearch()
            #expect(await client.failure(query)?.code == .rateLimited)
            #expect(stub.requests.count == 3)
        }
    }

    @Test func `nothing is sent after the rate limit is used up until it is reset`() async throws {
        let page = page
        let clock = Lock(Date(timeIntervalSince1970: 1_700_000_000))
        try await GitHubStub.run { _, _ in
            .json(
                200, page,
                ["x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000060"])
        } test: { stub in
            let client = try stub.client(now: { clock.withLock { $0 } })
            _ = try await client.page(query)
            for _ in 0..<5 {
                let error = await client.failure(query)
                #expect(error?.code == .rateLimited)
                #expect(error?.retryAt == Date(timeIntervalSince1970: 1_700_000_060))
                #expect(error?.status == nil)
            }
            #expect(stub.requests.count == 1)
            clock.withLock { $0 += 60 }
            _ = try await client.page(query)
            #expect(stub.requests.count == 2)
        }
    }

    @Test(
        arguments: [
            (403, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000030"], GitHubText.rateLimit, 30.0),
            (403, ["retry-after": "120"], GitHubText.secondaryLimit, 120), (429, ["retry-after": "7"], "", 7),
            (429, [:], "", 60),
        ] as [(UInt16, HTTPFields, String, TimeInterval)])
    func `a rate limit response delays later searches until the limit ends`(
        status: UInt16, fields: HTTPFields, body: String, wait: TimeInterval
    ) async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        try await GitHubStub.run { _, _ in
            .json(status, body, fields)
        } test: { stub in
            let client = try stub.client()
            let refused = await client.failure(query)
            #expect(refused?.code == .rateLimited)
            #expect(refused?.status == Int(status))
            #expect(refused?.retryAt == start + wait)
            let held = await client.failure(query)
            #expect(held?.retryAt == start + wait)
            #expect(held?.status == nil)
            #expect(stub.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            (401, GitHubText.badToken, [.wwwAuthenticate: "Basic realm=\"GitHub\""], .unauthorized),
            (401, GitHubText.badToken, [.wwwAuthenticate: "Bearer"], .unauthorized),
            (401, GitHubText.badToken, [:], .unauthorized), (403, #"{"message": "No"}"#, [:], .forbidden),
            (422, GitHubText.invalid, [:], .invalidQuery), (500, "oops", [.contentType: "text/plain"], .serverFailed),
            (502, "", [:], .serverFailed), (404, "", [:], .unexpectedResponse), (200, "<html>", [:], .notJSON),
            (200, "<html>", [.contentType: "text/html"], .notJSON), (200, #"{"total_count": 1"#, [:], .truncated),
            (200, #"{"total_count": "many"}"#, [:], .notJSON), (200, "", [:], .truncated),
            (304, "", [:], .unexpectedResponse), (204, "", [:], .unexpectedResponse),
        ] as [(UInt16, String, HTTPFields, GitHubError.Code)])
    func `a response without a page is reported as an error, and the next search is sent`(
        status: UInt16, body: String, fields: HTTPFields, code: GitHubError.Code
    ) async throws {
        let page = page
        try await GitHubStub.run { _, number in
            number == 0 ? .json(status, body, fields) : .json(200, page)
        } test: { stub in
            let client = try stub.client(token: "ghp_secret")
            let error = await client.failure(query)
            #expect(error?.code == code)
            #expect(error?.status == Int(status))
            #expect(error?.message.contains("ghp_secret") == false)
            let found = try await client.page(query).totalCount
            #expect(found == 99)
        }
    }
}
