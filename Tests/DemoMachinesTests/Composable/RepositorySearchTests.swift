import CombineCore
import ComposableArchitecture
import Testing

@testable import DemoMachines
@testable import GitHubAPI

/// Tests of the search, step by step.
struct RepositorySearchTests {
    private let clock = TestClock()
    private let asked = LockIsolated<[String]>([])

    private func page(_ ids: Int...) -> RepositoryPage {
        RepositoryPage(repositories: ids.map(Repository.numbered), totalCount: 40)
    }

    private func store(
        _ state: RepositorySearch.State = RepositorySearch.State(),
        search: @escaping @Sendable (String) async throws -> RepositoryPage
    ) -> TestStoreOf<RepositorySearch> {
        TestStore(initialState: state) {
            RepositorySearch()
        } withDependencies: {
            $0.continuousClock = clock
            $0.repositorySearch.search = { [asked] text in
                asked.withValue { $0.append(text) }
                return try await search(text)
            }
        }
    }

    @Test func `a search starts 300 ms after the last keystroke`() async {
        let page = page(1, 2)
        let store = store { _ in page }
        await store.send(\.queryChanged, "s") {
            $0.query = "s"
            $0.isSearching = true
        }
        await clock.advance(by: .milliseconds(299))
        await store.send(\.queryChanged, "sw") { $0.query = "sw" }
        await clock.advance(by: .milliseconds(299))
        #expect(asked.value == [])
        await clock.advance(by: .milliseconds(1))
        await store.receive(\.searchResponse.success) {
            $0.repositories = page.repositories
            $0.totalCount = 40
            $0.isSearching = false
        }
        #expect(asked.value == ["sw"])
    }

    @Test func `a newer text cancels the search before`() async {
        let (clock, page) = (clock, page(1))
        let store = store { text in
            try await clock.sleep(for: text == "a" ? .seconds(2) : .seconds(1))
            return page
        }
        await store.send(\.queryChanged, "a") {
            $0.query = "a"
            $0.isSearching = true
        }
        await clock.advance(by: .seconds(1))
        await store.send(\.queryChanged, "b") { $0.query = "b" }
        await clock.advance(by: .seconds(5))
        await store.receive(\.searchResponse.success) {
            $0.repositories = page.repositories
            $0.totalCount = 40
            $0.isSearching = false
        }
        #expect(asked.value == ["a", "b"])
    }

    @Test func `a blank text clears the results and cancels the search`() async {
        let page = page(1)
        let store = store(
            RepositorySearch.State(query: "a", repositories: page.repositories, totalCount: 40)
        ) { _ in page }
        await store.send(\.queryChanged, "ab") {
            $0.query = "ab"
            $0.isSearching = true
        }
        await store.send(\.queryChanged, " ") { $0 = RepositorySearch.State(query: " ") }
        await clock.advance(by: .seconds(1))
        #expect(asked.value == [])
    }

    @Test func `a failure has a message until the next keystroke`() async {
        let store = store { text in
            if text == "a" { throw GitHubError(.timedOut, "GitHub took too long.") }
            throw Unimplemented("search")
        }
        for (text, message) in [("a", "GitHub took too long."), ("b", "The search failed.")] {
            await store.send(\.queryChanged, text) {
                $0.query = text
                $0.errorMessage = nil
                $0.isSearching = true
            }
            await clock.advance(by: .milliseconds(300))
            await store.receive(\.searchResponse.failure) {
                $0.errorMessage = message
                $0.isSearching = false
            }
        }
    }

    @Test func `a restart repeats a search in progress, and no other`() async {
        let page = page(1)
        await store(RepositorySearch.State(query: "a")) { _ in page }.send(\.resumed)
        let store = store(RepositorySearch.State(query: "a", isSearching: true)) { _ in page }
        await store.send(\.resumed)
        await clock.advance(by: .milliseconds(300))
        await store.receive(\.searchResponse.success) {
            $0.repositories = page.repositories
            $0.totalCount = 40
            $0.isSearching = false
        }
    }

    @Test func `the client asks GitHub for the first page, and fails as GitHub does`() async throws {
        let client = RepositorySearchClient.gitHub { FakeGitHub.answer(to: $0) }
        #expect(try await client.search(matching: "swift").repositories.map(\.id) == [1, 2])
        await #expect(throws: GitHubError.self) { try await client.search(matching: "fail") }
        await #expect(throws: GitHubError.self) { try await client.search(matching: " ") }
    }
}
