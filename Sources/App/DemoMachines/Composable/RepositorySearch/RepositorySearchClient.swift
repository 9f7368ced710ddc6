import CombineCore
import ComposableMacros
import GitHubAPI
import MachineHost

@DependencyClient
struct RepositorySearchClient: Sendable {
    /// Returns the first page of the repositories that match a text.
    var search: @Sendable (_ matching: String) async throws -> RepositoryPage
}

extension RepositorySearchClient: TestDependencyKey {
    static let testValue = RepositorySearchClient()

    /// Returns a client that asks GitHub.
    ///
    /// - Parameter ask: Requests a page, as `GitHubClient.searchRepositories` does.
    static func gitHub(
        _ ask: @escaping @Sendable (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
    ) -> RepositorySearchClient {
        RepositorySearchClient { text in
            for try await page in ask(try RepositoryQuery(text: text)).values { return page }
            throw EffectInterrupted()
        }
    }
}

extension DependencyValues {
    var repositorySearch: RepositorySearchClient {
        get { self[RepositorySearchClient.self] }
        set { self[RepositorySearchClient.self] = newValue }
    }
}
