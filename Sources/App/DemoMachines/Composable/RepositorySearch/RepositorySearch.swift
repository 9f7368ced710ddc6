import ComposableMacros
import GitHubAPI

/// A search while the user types. It starts 300 ms after the last keystroke, and the latest one wins.
@Reducer
struct RepositorySearch {
    @ObservableState
    struct State: Equatable, Encodable {
        var query = ""
        var repositories: [Repository] = []
        var totalCount = 0
        /// Whether a search is waiting for the next keystroke or for its answer.
        var isSearching = false
        var errorMessage: String?
    }

    enum Action {
        case queryChanged(String)
        /// The server was restarted, and the search is not running any more.
        case resumed
        case searchResponse(Result<RepositoryPage, any Error>)
    }

    private enum CancelID { case search }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.repositorySearch) var repositorySearch

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .queryChanged(let query):
                state.query = query
                state.errorMessage = nil
                guard !query.allSatisfy(\.isWhitespace) else {
                    state = State(query: query)
                    return .cancel(id: CancelID.search)
                }
                state.isSearching = true
                return search(query)
            case .resumed: return state.isSearching ? search(state.query) : .none
            case .searchResponse(.success(let page)):
                state.repositories = page.repositories
                state.totalCount = page.totalCount
                state.isSearching = false
                return .none
            case .searchResponse(.failure(let error)):
                state.errorMessage = (error as? GitHubError)?.message ?? "The search failed."
                state.isSearching = false
                return .none
            }
        }
    }

    private func search(_ query: String) -> Effect<Action> {
        .run { send in
            try await clock.sleep(for: .milliseconds(300))
            await send(.searchResponse(.success(try await repositorySearch.search(matching: query))))
        } catch: { error, send in
            await send(.searchResponse(.failure(error)))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)
    }
}
