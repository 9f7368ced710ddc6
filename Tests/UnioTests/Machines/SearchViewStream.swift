import RxCore
import Unio

protocol SearchAPIStreamType: AnyObject {
    var input: InputWrapper<SearchAPIStream.Input> { get }
    var output: OutputWrapper<SearchAPIStream.Output> { get }
}

/// A request as a stream whose logic is a value.
final class SearchAPIStream: InstanceLogicStream<SearchAPIStream.Logic>, SearchAPIStreamType {
    struct Input: InputType {
        let execute = PublishRelay<String>()
    }

    struct Output: OutputType {
        let response: Observable<[String]>
        let error: Observable<any Error>
    }

    struct Extra: ExtraType {
        let session: (String) -> Observable<[String]>
    }

    struct Logic: InstanceLogicType {
        func bind(from dependency: Dependency<Input, NoState, Extra>) -> Output {
            let extra = dependency.extra
            let result = dependency.inputObservables.execute
                .flatMapLatest { query -> Observable<Event<[String]>> in
                    extra.session(query).take(1).materialize()
                }
                .share()
            return Output(
                response: result.flatMap { $0.element.map(Observable.just) ?? .empty() },
                error: result.flatMap { $0.error.map(Observable.just) ?? .empty() })
        }
    }
}

/// A search for the latest text on demand, whose logic is a value with its own bag.
final class SearchViewStream: InstanceLogicStream<SearchViewStream.Logic> {
    struct Input: InputType {
        let search = PublishRelay<Void>()
        let text = PublishRelay<String?>()
    }

    struct Output: OutputType {
        let repositories: Observable<[String]>
    }

    struct State: StateType {
        let repositories = BehaviorRelay<[String]>(value: [])
    }

    struct Extra: ExtraType {
        let apiAction: any SearchAPIStreamType
    }

    struct Logic: InstanceLogicType {
        private let disposeBag = DisposeBag()

        func bind(from dependency: Dependency<Input, State, Extra>) -> Output {
            let state = dependency.state
            let extra = dependency.extra
            extra.apiAction.output.response
                .bind(to: state.repositories)
                .disposed(by: disposeBag)
            dependency.inputObservables.search
                .withLatestFrom(dependency.inputObservables.text) { $1 }
                .flatMap { $0.map(Observable.just) ?? .empty() }
                .bind(to: extra.apiAction.input.execute)
                .disposed(by: disposeBag)
            return Output(repositories: state.repositories.asObservable())
        }
    }
}

final class MockSearchAPIStream: SearchAPIStreamType {
    let input: InputWrapper<SearchAPIStream.Input>
    let output: OutputWrapper<SearchAPIStream.Output>
    let _input = SearchAPIStream.Input()
    let _response = PublishRelay<[String]>()
    let _error = PublishRelay<any Error>()

    init() {
        input = InputWrapper(_input)
        output = OutputWrapper(
            SearchAPIStream.Output(response: _response.asObservable(), error: _error.asObservable()))
    }
}
