import RxCore
import Testing
import Unio

struct InputWrapperTests {
    private struct Refused: Error {}
    private struct Input: InputType {
        let relay = PublishRelay<String>()
        let subject = PublishSubject<String>()
    }

    private let base = Input()
    private let input: InputWrapper<Input>

    init() {
        input = InputWrapper(base)
    }

    @Test func `a relay can be called or bound to`() {
        var seen: [String] = []
        let bag = DisposeBag()
        base.relay.subscribe(onNext: { seen.append($0) }).disposed(by: bag)
        input.relay("a")
        input.relay.onNext("b")
        let closure: (String) -> Void = input.relay
        let observer: AnyObserver<String> = input.relay
        closure("c")
        observer.onNext("d")
        Observable.just("e").bind(to: input.relay).disposed(by: bag)
        #expect(seen == ["a", "b", "c", "d", "e"])
    }

    @Test func `an error or a completion does not terminate a relay`() {
        var seen: [String] = []
        let bag = DisposeBag()
        base.relay.subscribe(onNext: { seen.append($0) }, onDisposed: { seen.append("over") }).disposed(by: bag)
        input.relay.onError(Refused())
        input.relay.onCompleted()
        Observable<String>.error(Refused()).bind(to: input.relay).disposed(by: bag)
        input.relay("still here")
        #expect(seen == ["still here"])
    }

    @Test func `an error or a completion terminates a subject permanently`() {
        var seen: [String] = []
        let bag = DisposeBag()
        base.subject.subscribe(onNext: { seen.append($0) }, onCompleted: { seen.append("completed") })
            .disposed(by: bag)
        input.subject.onNext("a")
        input.subject.onCompleted()
        input.subject.onNext("b")
        #expect(seen == ["a", "completed"])
    }
}
