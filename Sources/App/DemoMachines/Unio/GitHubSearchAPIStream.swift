public import CombineCore
public import GitHubAPI
public import RxCore
public import Unio

/// A stream that searches GitHub. A test can replace it with a mock.
public protocol GitHubSearchAPIStreamType: AnyObject {
    /// The inputs of the stream.
    var input: InputWrapper<GitHubSearchAPIStream.Input> { get }
    /// The outputs of the stream.
    var output: OutputWrapper<GitHubSearchAPIStream.Output> { get }
}

/// The innermost of three streams: requests the first page of a search. The latest text wins. An error is an output and
/// does not terminate the stream.
public final class GitHubSearchAPIStream: UnioStream<GitHubSearchAPIStream>, GitHubSearchAPIStreamType {
    /// The search to perform.
    public struct Input: InputType {
        /// Searches for a text.
        public let searchRepository = PublishRelay<String>()

        /// Creates the relay.
        public init() {}
    }

    /// The results of searches.
    public struct Output: OutputType {
        /// The pages of successful searches.
        public let searchResponse: Observable<RepositoryPage>
        /// The errors of failed searches.
        public let searchError: Observable<any Error>

        /// Creates outputs from two streams, for mocks.
        public init(searchResponse: Observable<RepositoryPage>, searchError: Observable<any Error>) {
            self.searchResponse = searchResponse
            self.searchError = searchError
        }
    }

    /// The stream has no state.
    public typealias State = NoState

    /// The dependencies of the stream.
    public struct Extra: ExtraType {
        /// Requests one page. The publisher may deliver on any thread. `GitHubClient.searchRepositories` is such a
        /// function.
        public let searchRepositories: (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
        /// The scheduler for the delivery of results.
        public let scheduler: any SchedulerType

        /// Creates the dependencies.
        public init(
            searchRepositories: @escaping (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>,
            scheduler: any SchedulerType = MainScheduler.instance
        ) {
            self.searchRepositories = searchRepositories
            self.scheduler = scheduler
        }
    }

    /// Connects the input to requests and their results to the outputs.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let extra = dependency.extra
        let result = dependency.inputObservables.searchRepository
            .flatMapLatest { text in
                Observable.deferred { extra.searchRepositories(try RepositoryQuery(text: text)).asObservable() }
                    // Inside `flatMapLatest`, so that a newer text also discards a result that is in flight to the
                    // scheduler.
                    .observe(on: extra.scheduler)
                    .materialize()
            }
            .share()
        return Output(searchResponse: result.elements(), searchError: result.errors())
    }
}
