public import CombineCore
public import GitHubAPI
public import RxCore
public import Unio

/// What a stream needs that searches: a text goes in, answers and errors come out. A test gives a mock.
public protocol GitHubSearchAPIStreamType: AnyObject {
    /// Where texts go in.
    var input: InputWrapper<GitHubSearchAPIStream.Input> { get }
    /// Where answers and errors come out.
    var output: OutputWrapper<GitHubSearchAPIStream.Output> { get }
}

/// The innermost of three streams: asks GitHub for the first page of repositories. The latest text wins, and an error is an
/// output like an answer: it does not end the stream.
public final class GitHubSearchAPIStream: UnioStream<GitHubSearchAPIStream>, GitHubSearchAPIStreamType {
    /// What to ask for.
    public struct Input: InputType {
        /// Search for this text.
        public let searchRepository = PublishRelay<String>()

        /// Nothing asked.
        public init() {}
    }

    /// What came of it.
    public struct Output: OutputType {
        /// A page that GitHub sent.
        public let searchResponse: Observable<RepositoryPage>
        /// Why there is none.
        public let searchError: Observable<any Error>

        /// The two streams, for a mock.
        public init(searchResponse: Observable<RepositoryPage>, searchError: Observable<any Error>) {
            self.searchResponse = searchResponse
            self.searchError = searchError
        }
    }

    /// Nothing is kept.
    public typealias State = NoState

    /// What comes from outside.
    public struct Extra: ExtraType {
        /// Asks for one page, on any thread; `GitHubClient.searchRepositories` is one such function.
        public let searchRepositories: (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
        /// Where answers are received.
        public let scheduler: any SchedulerType

        /// A search function, and the scheduler that the stream lives on.
        public init(
            searchRepositories: @escaping (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>,
            scheduler: any SchedulerType = MainScheduler.instance
        ) {
            self.searchRepositories = searchRepositories
            self.scheduler = scheduler
        }
    }

    /// Wires the requests.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let extra = dependency.extra
        let result = dependency.inputObservables.searchRepository
            .flatMapLatest { text in
                Observable.deferred { extra.searchRepositories(try RepositoryQuery(text: text)).asObservable() }
                    // In here, so that an answer on its way is dropped when a newer text has come.
                    .observe(on: extra.scheduler)
                    .materialize()
            }
            .share()
        return Output(searchResponse: result.elements(), searchError: result.errors())
    }
}
