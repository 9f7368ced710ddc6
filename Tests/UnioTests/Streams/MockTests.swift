import RxCore
import Testing
import Unio

/// Mocks of streams, created with the public initializers of the wrappers.
struct MockTests {
    @Test func `a mock receives the view's inputs and sends the test's outputs`() {
        let mock = MockAdderStream()
        let stream: any AdderStreamType = mock
        var (sent, results) = ([Int](), [Int]())
        let bag = DisposeBag()
        mock._input.lhs.subscribe(onNext: { sent.append($0) }).disposed(by: bag)
        stream.output.result.subscribe(onNext: { results.append($0) }).disposed(by: bag)
        stream.input.lhs(1)
        mock._result.accept(42)
        #expect(sent == [1])
        #expect(results == [42])
    }

    @Test func `the actual stream adds`() {
        let stream: any AdderStreamType = AdderStream(input: .init(), state: .init(), extra: .init())
        var results: [Int] = []
        let subscription = stream.output.result.subscribe(onNext: { results.append($0) })
        stream.input.lhs(1)
        stream.input.rhs(2)
        stream.input.lhs(3)
        subscription.dispose()
        #expect(results == [3, 5])
    }

    @Test func `a search starts when the view triggers it`() {
        let mock = MockSearchAPIStream()
        let target = SearchViewStream(input: .init(), state: .init(), extra: .init(apiAction: mock), logic: .init())
        let result = BehaviorRelay<String?>(value: nil)
        let disposable = mock._input.execute.bind(to: result)
        target.input.text("test-query")
        #expect(result.value == nil)
        target.input.search(())
        #expect(result.value == "test-query")
        var shown: [[String]] = []
        let subscription = target.output.repositories.subscribe(onNext: { shown.append($0) })
        mock._response.accept(["a"])
        #expect(shown == [[], ["a"]])
        disposable.dispose()
        subscription.dispose()
    }

    @Test func `an error of a request is an output, and further requests work`() {
        struct Refused: Error {}
        let stream = SearchAPIStream(
            input: .init(), state: .init(),
            extra: .init(session: { $0 == "bad" ? .error(Refused()) : .just([$0]) }), logic: .init())
        var (errors, responses) = (0, [[String]]())
        let bag = DisposeBag()
        stream.output.error.subscribe(onNext: { _ in errors += 1 }).disposed(by: bag)
        stream.output.response.subscribe(onNext: { responses.append($0) }).disposed(by: bag)
        stream.input.execute("a")
        stream.input.execute("bad")
        stream.input.execute("b")
        #expect(errors == 1)
        #expect(responses == [["a"], ["b"]])
    }
}
