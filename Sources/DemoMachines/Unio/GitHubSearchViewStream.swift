public import GitHubAPI
public import RxCore
public import Unio

/// The outermost of three streams, view, logic and API, each of which is an extra of the one around it: what a view sees of a
/// search.
public final class GitHubSearchViewStream: UnioStream<GitHubSearchViewStream> {
    /// What the view tells.
    public struct Input: InputType {
        /// The text in the search field.
        public let searchText = PublishRelay<String?>()

        /// Nothing typed.
        public init() {}
    }

    /// What the view shows.
    public struct Output: OutputType {
        /// The repositories of the latest answer; an error leaves them as they are.
        public let repositories: Property<[Repository]>
        /// Why the latest search has no answer, for people: each time that one fails.
        public let errorMessage: Observable<String>
    }

    /// Nothing is kept here.
    public typealias State = NoState

    /// What comes from outside.
    public struct Extra: ExtraType {
        /// What decides.
        public let logicStream: any GitHubSearchLogicStreamType

        /// A stream that decides.
        public init(logicStream: any GitHubSearchLogicStreamType) {
            self.logicStream = logicStream
        }
    }

    /// Wires the view's side.
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
    /// The three streams, put together.
    public convenience init(apiExtra: GitHubSearchAPIStream.Extra) {
        let api = GitHubSearchAPIStream(input: .init(), state: .init(), extra: apiExtra)
        let logic = GitHubSearchLogicStream(
            input: .init(), state: .init(), extra: .init(searchAPIStream: api, scheduler: apiExtra.scheduler))
        self.init(input: .init(), state: .init(), extra: .init(logicStream: logic))
    }
}
