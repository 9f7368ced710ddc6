public import CombineCore
public import CombineSchedulers
public import Dispatch
public import GitHubAPI
public import Ricemill

/// Searches GitHub for repositories while somebody types: 300 ms after the last letter, the latest search wins, and the
/// pages behind the first are appended on demand.
public final class GitHubSearchViewModel: Machine<GitHubSearchViewModel> {
    /// The store is what a view sees.
    public typealias Output = Store

    /// A search field, its button, and the end of the list.
    public final class Input: BindableInputType {
        /// What is looked for. A change searches after 300 ms of quiet; a blank text clears at once.
        @Published public var text = ""
        /// Search again for the text as it is, after the same quiet.
        public let search = PassthroughSubject<Void, Never>()
        /// Append the next page; ignored while a search runs, and behind the last page.
        public let nextPage = PassthroughSubject<Void, Never>()

        /// An empty field.
        public init() {}
    }

    /// What the view shows. All of it belongs to one search: results of an older one are never seen beside a newer.
    public final class Store: StoredOutputType {
        /// What was searched for; empty before the first search.
        @Published public var query = ""
        /// The repositories of all pages so far, none of them twice.
        @Published public var repositories: [Repository] = []
        /// Whether GitHub is being asked.
        @Published public var isLoading = false
        /// Why the last request has no result, for people; `nil` once there is another.
        @Published public var errorMessage: String?
        /// The last page that was appended, 0 before the first.
        @Published public var page = 0
        /// Whether there is a page behind it.
        @Published public var hasMore = false
        /// How many repositories GitHub has found.
        @Published public var totalCount = 0

        /// Nothing searched for.
        public init() {}
    }

    /// What comes from outside.
    public struct Extra: ExtraType {
        /// Asks for one page, on any thread; `GitHubClient.searchRepositories` is one such function.
        public let searchRepositories: (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
        /// Where time passes and answers are received.
        public let scheduler: AnySchedulerOf<DispatchQueue>

        /// A search function, and the scheduler that the machine lives on.
        public init(
            searchRepositories: @escaping (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>,
            scheduler: AnySchedulerOf<DispatchQueue> = .main
        ) {
            self.searchRepositories = searchRepositories
            self.scheduler = scheduler
        }
    }

    /// Wires the search.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let text = input.$text
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

    /// Shows that the command is under way, and publishes its outcome on the machine's scheduler.
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
