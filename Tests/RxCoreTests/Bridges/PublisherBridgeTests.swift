import CombineCore
import RxCore
import Testing

struct PublisherBridgeTests {
    @Test func `an observable is a publisher`() {
        var (values, isFinished) = ([Int](), false)
        let token = Observable.of(1, 2).publisher.sink(
            receiveCompletion: { if case .finished = $0 { isFinished = true } }, receiveValue: { values.append($0) })
        #expect(values == [1, 2])
        #expect(isFinished)
        token.cancel()
    }

    @Test func `the publisher of a relay cannot fail`() {
        let relay = BehaviorRelay(value: 1)
        var values: [Int] = []
        let token = relay.publisher.sink { values.append($0) }
        relay.accept(2)
        token.cancel()
        relay.accept(3)
        #expect(values == [1, 2])
    }

    @Test func `a publisher is an observable`() {
        let subject = PassthroughSubject<Int, Failure>()
        let recorder = Recorder<Int>()
        _ = subject.asObservable().subscribe(recorder)
        subject.send(1)
        subject.send(completion: .failure(Failure()))
        #expect(recorder.events == [.next(1), .error(Failure())])
        #expect(Just(1).asObservable().immediateEvents == [.next(1), .completed])
    }

    @Test func `cancelling a publisher disposes of the underlying subscription`() {
        let resource = BooleanDisposable()
        let stream = Observable<Int>.create { _ in resource }
        stream.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        #expect(resource.isDisposed)
    }

    @Test func `a subscriber receives only the elements it requested, and the rest on its next request`() {
        final class Slow: Subscriber {
            var values: [Int] = []
            var isFinished = false
            var subscription: (any CombineCore.Subscription)?
            func receive(subscription: any CombineCore.Subscription) { self.subscription = subscription }
            func receive(_ input: Int) -> Subscribers.Demand {
                values.append(input)
                return .none
            }
            func receive(completion: Subscribers.Completion<any Error>) { isFinished = true }
        }
        let slow = Slow()
        Observable<Int>.create { observer in
            for number in 1...4 { observer.onNext(number) }
            observer.onCompleted()
            return Disposables.create()
        }.publisher.subscribe(slow)
        #expect(slow.values == [])
        slow.subscription?.request(.max(3))
        #expect(slow.values == [1, 2, 3])
        #expect(!slow.isFinished)
        slow.subscription?.request(.max(1))
        #expect(slow.values == [1, 2, 3, 4])
        #expect(slow.isFinished)
    }
}
