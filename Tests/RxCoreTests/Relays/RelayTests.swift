import RxCore
import Testing

struct RelayTests {
    @Test func `a publish relay replays nothing`() {
        let relay = PublishRelay<Int>()
        relay.accept(1)
        let recorder = Recorder<Int>()
        _ = relay.subscribe(recorder)
        relay.accept(2)
        #expect(recorder.events == [.next(2)])
    }

    @Test func `a behavior relay replays its value to every observer`() {
        let relay = BehaviorRelay(value: 1)
        #expect(relay.immediateEvents == [.next(1)])
        relay.accept(2)
        #expect(relay.value == 2)
        #expect(relay.immediateEvents == [.next(2)])
        #expect(relay.asObservable().immediateEvents == [.next(2)])
    }

    @Test func `a replay relay replays the last elements`() {
        let relay = ReplayRelay<Int>.create(bufferSize: 2)
        for number in 1...3 { relay.accept(number) }
        #expect(relay.immediateEvents == [.next(2), .next(3)])
    }

    @Test func `an error or a completion of a bound source does not terminate a relay`() {
        let (relay, state) = (PublishRelay<Int>(), BehaviorRelay(value: 0))
        let recorder = Recorder<Int>()
        _ = relay.subscribe(recorder)
        _ = Observable.just(1).bind(to: relay)
        _ = Observable.of(2).concat(Observable.error(Failure())).bind(to: relay)
        _ = Observable.just(3).bind(to: relay)
        _ = Observable.of(4).concat(Observable.error(Failure())).bind(to: state)
        #expect(recorder.events == [.next(1), .next(2), .next(3)])
        #expect(state.value == 4)
        state.accept(5)
        #expect(state.value == 5)
    }

    @Test func `an observable can be bound to relays of optional elements and to several relays`() {
        let (one, other) = (BehaviorRelay<Int?>(value: nil), BehaviorRelay<Int?>(value: nil))
        _ = Observable.just(1).bind(to: one, other)
        #expect(one.value == 1)
        #expect(other.value == 1)
    }

    @Test func `an element accepted during a delivery is delivered first, and is the value immediately`() {
        let relay = BehaviorRelay(value: 0)
        var seen: [String] = []
        let bag = DisposeBag()
        relay.subscribe(onNext: { value in
            seen.append("first \(value)")
            if value == 1 {
                relay.accept(2)
                #expect(relay.value == 2)
            }
        }).disposed(by: bag)
        relay.subscribe(onNext: { seen.append("second \($0)") }).disposed(by: bag)
        relay.accept(1)
        #expect(seen == ["first 0", "second 0", "first 1", "first 2", "second 2", "second 1"])
        #expect(relay.value == 2)
    }

    @Test func `two elements accepted during a delivery both count`() {
        let (step, count) = (PublishRelay<Void>(), BehaviorRelay(value: 0))
        let bag = DisposeBag()
        step.withLatestFrom(count) { $1 + 1 }.bind(to: count).disposed(by: bag)
        count.filter { $0 == 1 }.subscribe(onNext: { _ in
            step.accept(())
            step.accept(())
        }).disposed(by: bag)
        step.accept(())
        #expect(count.value == 3)
    }

    @Test func `a disposed subscription releases its captures`() {
        final class Object {}
        weak var held: Object?
        let relay = BehaviorRelay(value: 0)
        do {
            let object = Object()
            held = object
            let subscription = relay.map { $0 }.subscribe(onNext: { _ in _ = object })
            subscription.dispose()
        }
        #expect(held == nil)
    }
}
