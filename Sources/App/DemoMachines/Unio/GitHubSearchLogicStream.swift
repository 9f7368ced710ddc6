import Dispatch
public import GitHubAPI
public import RxCore
public import Unio

/// A stream that decides when to search. A test can replace it with a mock.
public protocol GitHubSearchLogicStreamType: AnyObject {
    /// The inputs of the stream.
    var input: InputWrapper<GitHubSearchLogicStream.Input> { get }
    /// The outputs of the stream.
    var output: OutputWrapper<GitHubSearchLogicStream.Output> { get }
}

/// The middle stream of three: decides when to search, and stores the results.
public final class GitHubSearchLogicStream: UnioStream<GitHubSearchLogicStream>, GitHubSearchLogicStreamType {
    /// The text that the user types.
    public struct Input: InputType {
        /// The current text. A search starts 300 ms after the last change. Empty and `nil` texts are ignored.
        public let searchText = PublishRelay<String?>()

        /// Creates the relay.
        public init() {}
    }

    /// The results of searches.
    public struct Output: OutputType {
        /// The repositories of the latest successful search.
        public let repositories: BehaviorRelay<[Repository]>
        /// The errors of failed searches.
        public let error: Observable<any Error>
    }

    /// The state of the stream.
    public struct State: StateType {
        /// The repositories of the latest successful search.
        public let repositories = BehaviorRelay<[Repository]>(value: [])

        /// Creates a state without repositories.
        public init() {}
    }

    /// The dependencies of the stream.
    public struct Extra: ExtraType {
        /// The stream that searches.
        public let searchAPIStream: any GitHubSearchAPIStreamType
        /// The scheduler for delays.
        public let scheduler: any SchedulerType

        /// Creates the dependencies.
        public init(
            searchAPIStream: any GitHubSearchAPIStreamType, scheduler: any SchedulerType = MainScheduler.instance
        ) {
            self.searchAPIStream = searchAPIStream
            self.scheduler = scheduler
        }
    }

    /// Connects the input to the search stream and its results to the outputs.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, extra) = (dependency.state, dependency.extra)
        let api = extra.searchAPIStream

        dependency.inputObservables.searchText
            // Before the filter, so that emptying the field also cancels a pending search.
            .debounce(.milliseconds(300), scheduler: extra.scheduler)
            .compactMap { $0 }
            .filter { !$0.isEmpty }
            .bind(to: api.input.searchRepository)
            .disposed(by: disposeBag)

        api.output.searchResponse
            .map(\.repositories)
            .bind(to: state.repositories)
            .disposed(by: disposeBag)

        return Output(repositories: state.repositories, error: api.output.searchError)
    }
}
