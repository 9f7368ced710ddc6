import RxCore
import Testing
import Unio

struct OutputWrapperTests {
    private let stream = KitchenStream(input: .init(), state: .init(), extra: .init())
    private var output: OutputWrapper<KitchenStream.Output> { stream.output }

    @Test func `a behavior relay is a property unless the context requires an observable`() {
        let property = output.relay
        #expect(type(of: property) == Property<String>.self)
        let value: String = output.relay.value
        let observable: Observable<String> = output.relay
        let named: Property<String> = output.relay
        #expect(value == "bound")
        #expect(named.value == "bound")
        var seen: [String] = []
        let bag = DisposeBag()
        observable.subscribe(onNext: { seen.append("observable \($0)") }).disposed(by: bag)
        named.asObservable().subscribe(onNext: { seen.append("property \($0)") }).disposed(by: bag)
        stream.input.relay("new")
        #expect(seen == ["observable bound", "property bound", "observable new", "property new"])
        #expect(property.value == "new")
    }

    @Test func `operators apply to the observable`() {
        let target = BehaviorRelay<String?>(value: nil)
        let bag = DisposeBag()
        output.relay.bind(to: target).disposed(by: bag)
        output.relay.map { $0.count }.subscribe(onNext: { _ in }).disposed(by: bag)
        #expect(target.value == "bound")
    }

    @Test func `a behavior subject throws after a failure, and a property never does`() throws {
        struct Refused: Error {}
        let property = output.subject
        #expect(try property.throwableValue() == 1)
        #expect(try output.throwable.throwableValue() == 1)
        stream.input.subject.onNext(2)
        #expect(try property.throwableValue() == 2)
        stream.input.subject.onError(Refused())
        #expect(throws: Refused.self) { try property.throwableValue() }
        #expect(throws: Refused.self) { try output.throwable.throwableValue() }
        #expect(output.title.value == "bound")
    }

    @Test func `a disposed subject has no value`() {
        struct Output: OutputType { let subject = BehaviorSubject(value: 1) }
        let base = Output()
        let output = OutputWrapper(base)
        base.subject.dispose()
        #expect(throws: RxError.self) { try output.subject.throwableValue() }
    }

    @Test func `a computed value is computed on each access`() {
        let length: Int = output.length
        #expect(length == 5)
        stream.input.relay("longer text")
        #expect(output.length == 11)
    }

    @Test func `an observable cannot be cast back to a subject`() {
        struct Output: OutputType { let subject = PublishSubject<Int>() }
        let output = OutputWrapper(Output())
        #expect(!(output.subject is PublishSubject<Int>))
        #expect(!(output.subject is any ObserverType))
        #expect(!(self.output.relay.asObservable() is any ObserverType))
        #expect(!(self.output.subject.asObservable() is BehaviorSubject<Int>))
    }
}
