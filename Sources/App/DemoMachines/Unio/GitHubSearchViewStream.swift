public import GitHubAPI
public import RxCore
public import Unio

/// The outermost of three streams (view, logic and API), each of which is a dependency of the one around it: the inputs
/// and outputs of a search view.
public final class GitHubSearchViewStream: UnioStream<GitHubSearchViewStream> {
    /// The inputs of the view.
    public struct Input: InputType {
        /// The text in the search field.
        public let searchText = PublishRelay<String?>()

        /// Creates the relay.
        public init() {}
    }

    /// The values that the view shows.
    public struct Output: OutputType {
        /// The repositories of the latest successful search.
        public let repositories: Property<[Repository]>
        /// The messages of failed searches, for users.
        public let errorMessage: Observable<String>
    }

    /// The stream has no state.
    public typealias State = NoState

    /// The dependencies of the stream.
    public struct Extra: ExtraType {
        /// The stream that decides when to search.
        public let logicStream: any GitHubSearchLogicStreamType

        /// Creates the dependencies.
        public init(logicStream: any GitHubSearchLogicStreamType) {
            self.logicStream = logicStream
        }
    }

    /// Connects the view to the logic stream.
    public static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let logic = dependency.extra.logicStream

        dependency.inputObservables.searchText
            .bind(to: logic.input.searchText)
            .disposed(by: disposeBag)

        return Output(
            repositories: logic.output.repositories,
            errorMessage: logic.output.error.map { ($0 as? GitHubError)?.message ?? String(describing: $0) })
    }
}

extension GitHubSearchViewStream {
    /// Creates all three streams.
    public convenience init(apiExtra: GitHubSearchAPIStream.Extra) {
        let api = GitHubSearchAPIStream(input: .init(), state: .init(), extra: apiExtra)
        let logic = GitHubSearchLogicStream(
            input: .init(), state: .init(), extra: .init(searchAPIStream: api, scheduler: apiExtra.scheduler))
        self.init(input: .init(), state: .init(), extra: .init(logicStream: logic))
    }
}
