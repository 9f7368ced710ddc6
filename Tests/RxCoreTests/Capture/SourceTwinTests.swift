import RxCore
import Testing

struct SourceTwinTests {
    @Test func `sources on the current thread emit once`() {
        Twins.check { inputs in
            Observable.merge(.just(1), .of(2, 3), .from([4]), .range(start: 5, count: 2), inputs.a.asObservable())
                .map(String.init)
        }
        Twins.check { inputs in Observable.deferred { Observable.just(1).concat(inputs.a) }.map(String.init) }
        Twins.check { inputs in
            Observable.using({ BooleanDisposable() }, observableFactory: { _ in inputs.a.startWith(1) }).map(
                String.init)
        }
    }

    @Test func `sources on the loop continue`() {
        Twins.check { inputs in
            Observable.from(1...5, scheduler: MainScheduler.asyncInstance).concat(inputs.a).map(String.init)
        }
        Twins.check { _ in
            Observable.generate(
                initialState: 1, condition: { $0 < 100 }, scheduler: MainScheduler.asyncInstance, iterate: { $0 * 2 }
            ).map(String.init)
        }
    }

    @Test func `create drops what it emits at once`() {
        Twins.check { inputs in
            Observable<Int>.create { observer in
                observer.onNext(1)
                return inputs.a.scan(0, accumulator: +).subscribe(observer)
            }.map(String.init)
        }
        Twins.check { inputs in
            Observable<Int>.create { observer in
                observer.onNext(1)
                observer.onCompleted()
                return Disposables.create()
            }.concat(inputs.a).map(String.init)
        }
    }

    @Test func `subjects keep their elements`() {
        Twins.check(completes: false) { inputs in
            let relay = BehaviorRelay(value: 5)
            let subject = BehaviorSubject(value: 6)
            let replay = ReplayRelay<Int>.create(bufferSize: 2)
            replay.accept(7)
            _ = inputs.a.bind(to: relay)
            _ = inputs.a.subscribe(subject)
            _ = inputs.a.bind(to: replay)
            return inputs.b.flatMap { _ in
                Observable.merge(relay.take(1), subject.take(1), replay.take(1)).map(String.init)
            }
        }
    }

    @Test func `writes during the wiring are not repeated`() {
        Twins.check { inputs in
            let (relay, events) = (BehaviorRelay(value: 0), PublishRelay<Int>())
            _ = inputs.a.bind(to: relay)
            let output = Observable.merge(relay.asObservable(), events.asObservable()).map(String.init)
            _ = Observable.just(50).bind(to: relay)
            events.accept(60)
            return output
        }
    }

    @Test func `subjects stay ended`() {
        Twins.check { inputs in
            let (subject, last) = (PublishSubject<Int>(), AsyncSubject<Int>())
            _ = inputs.a.subscribe(subject)
            _ = inputs.a.subscribe(last)
            return subject.concat(last).concat(inputs.b).map(String.init)
        }
    }
}
