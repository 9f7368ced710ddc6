import Dispatch
public import GitHubAPI
public import RxCore
public import Unio

/// What a view's stream needs: a text goes in, repositories and errors come out. A test gives a mock.
public protocol GitHubSearchLogicStreamType: AnyObject {
    /// Where texts go in.
    var input: InputWrapper<GitHubSearchLogicStream.Input> { get }
    /// Where repositories and errors come out.
    var output: OutputWrapper<GitHubSearchLogicStream.Output> { get }
}

/// The middle one of three streams: decides when to search, and keeps what was found.
public final class GitHubSearchLogicStream: UnioStream<GitHubSearchLogicStream>, GitHubSearchLogicStreamType {
    /// What is being typed.
    public struct Input: InputType {
        /// The text as it is now. 300 ms after the last change it is searched for; an empty one, or none, is ignored.
        public let searchText = PublishRelay<String?>()

        /// Nothing typed.
        public init() {}
    }

    /// What was found.
    public struct Output: OutputType {
        /// The repositories of the latest answer.
        public let repositories: BehaviorRelay<[Repository]>
        /// Why the latest search has no answer.
        public let error: Observable<any Error>
    }

    /// What the stream keeps.
    public struct State: StateType {
        /// The repositories of the latest answer.
        public let repositories = BehaviorRelay<[Repository]>(value: [])

        /// Nothing found.
        public init() {}
    }

    /// What comes from outside.
    public struct Extra: ExtraType {
        /// What asks.
        public let searchAPIStream: any GitHubSearchAPIStreamType
        /// Where time passes.
        public let scheduler: any SchedulerType

        /// A stream that asks, and the scheduler on which to wait.
        public init(
            searchAPIStream: any GitHubSearchAPIStreamType, scheduler: any SchedulerType = MainScheduler.instance
        ) {
            self.searchAPIStream = searchAPIStream
            self.scheduler = scheduler
        }
    }

    /// Wires the logic.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let (state, extra) = (dependency.state, dependency.extra)
        let api = extra.searchAPIStream

        dependency.inputObservables.searchText
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
