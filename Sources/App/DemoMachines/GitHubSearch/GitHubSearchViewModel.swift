public import CombineCore
public import CombineSchedulers
public import Dispatch
public import GitHubAPI
public import Ricemill

/// Searches GitHub for repositories while the user types. A search starts 300 ms after the last keystroke, the latest
/// search wins, and further pages are appended on demand.
public final class GitHubSearchViewModel: Machine<GitHubSearchViewModel> {
    /// The outputs are the properties of the store.
    public typealias Output = Store

    /// The search field, its button, and the end of the list.
    public final class Input: BindableInputType {
        /// The search text. A change starts a search after 300 ms without further changes. A blank text clears the
        /// results immediately.
        @Published public var text = ""
        /// Searches again for the current text, with the same delay.
        public let search = PassthroughSubject<Void, Never>()
        /// Appends the next page. Ignored during a request and after the last page.
        public let nextPage = PassthroughSubject<Void, Never>()

        /// Creates an input with an empty text.
        public init() {}
    }

    /// The values that the view shows. All of them belong to the same search.
    public final class Store: StoredOutputType {
        /// The text of the current search. Empty before the first search.
        @Published public var query = ""
        /// The repositories of all pages so far, without duplicates.
        @Published public var repositories: [Repository] = []
        /// Whether a request is in flight.
        @Published public var isLoading = false
        /// A message about the failure of the last request, or `nil` if it did not fail.
        @Published public var errorMessage: String?
        /// The number of the last appended page, or 0 if none exists.
        @Published public var page = 0
        /// Whether there is another page.
        @Published public var hasMore = false
        /// The total number of matches.
        @Published public var totalCount = 0

        /// Creates an empty store.
        public init() {}
    }

    /// The dependencies of the machine.
    public struct Extra: ExtraType {
        /// Requests one page. The publisher may deliver on any thread. `GitHubClient.searchRepositories` is such a
        /// function.
        public let searchRepositories: (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
        /// The scheduler for delays and for the delivery of results.
        public let scheduler: AnySchedulerOf<DispatchQueue>

        /// Creates the dependencies.
        ///
        /// - Parameters:
        ///   - searchRepositories: Requests one page.
        ///   - scheduler: The scheduler of the machine.
        public init(
            searchRepositories: @escaping (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>,
            scheduler: AnySchedulerOf<DispatchQueue> = .main
        ) {
            self.searchRepositories = searchRepositories
            self.scheduler = scheduler
        }
    }

    /// Connects the inputs to the store.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let text = input.$text
            // A published property sends its current value on subscription, which is not a change by the client.
            .dropFirst()
            .removeDuplicates()
            .share()
        let search =
            text
            .merge(with: input.search.map { input.text })
            .debounce(for: .milliseconds(300), scheduler: extra.scheduler)
            .filter { !$0.isBlank }
            .map(Command.search)
        let clear =
            text
            .filter(\.isBlank)
            .map { _ in Command.clear }
        let nextPage = input.nextPage
            .filter { store.hasMore && !store.isLoading }
            .map { Command.nextPage }

        let outcomes = search.merge(with: clear, nextPage)
            .map { command in answer(to: command, store: store, extra: extra) }
            // Also cancels the request in flight: a newer search replaces it, and clearing has no request.
            .switchToLatest()
            .sink { outcome in store.show(outcome) }
        return Polished(cancellables: [outcomes])
    }

    private typealias Outcome = Result<RepositoryPage, GitHubError>

    private enum Command {
        case search(String)
        case nextPage
        case clear
    }

    /// Shows that a command is in progress, and returns a publisher of its result on the scheduler of the machine.
    private static func answer(to command: Command, store: Store, extra: Extra) -> AnyPublisher<Outcome, Never> {
        switch command {
        case .search(let text): store.begin(text)
        case .nextPage: store.isLoading = true
        case .clear:
            store.begin("")
            store.isLoading = false
            return Empty().eraseToAnyPublisher()
        }
        return page(store.page + 1, of: store.query, extra)
            .map(Outcome.success)
            .catch { Just(.failure($0)) }
            // Results arrive on any thread, but the store may be changed only on the scheduler of the machine.
            .receive(on: extra.scheduler)
            .eraseToAnyPublisher()
    }

    private static func page(
        _ number: Int, of text: String, _ extra: Extra
    ) -> AnyPublisher<RepositoryPage, GitHubError> {
        do throws(GitHubError) {
            return extra.searchRepositories(try RepositoryQuery(text: text, page: number))
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
