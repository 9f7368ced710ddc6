import RxCore
import Unio

protocol AdderStreamType: AnyObject {
    var input: InputWrapper<AdderStream.Input> { get }
    var output: OutputWrapper<AdderStream.Output> { get }
}

/// Adds the latest of two numbers.
final class AdderStream: UnioStream<AdderStream>, AdderStreamType {
    struct Input: InputType {
        let lhs = PublishRelay<Int>()
        let rhs = PublishRelay<Int>()
    }

    struct Output: OutputType {
        let result: Observable<Int>
    }

    typealias State = NoState
    typealias Extra = NoExtra

    static func bind(from dependency: Dependency<Input, State, Extra>, disposeBag: DisposeBag) -> Output {
        let inputs = dependency.inputObservables
        return Output(result: Observable.combineLatest(inputs.lhs, inputs.rhs) { $0 + $1 })
    }
}

/// A mock that creates its wrappers directly and keeps the underlying values.
final class MockAdderStream: AdderStreamType, UnioStreamType {
    let input: InputWrapper<AdderStream.Input>
    let output: OutputWrapper<AdderStream.Output>
    let _input = AdderStream.Input()
    let _result = PublishRelay<Int>()

    init() {
        input = InputWrapper(_input)
        output = OutputWrapper(AdderStream.Output(result: _result.asObservable()))
    }
}
