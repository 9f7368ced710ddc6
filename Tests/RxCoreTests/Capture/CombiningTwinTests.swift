import RxCore
import Testing

struct CombiningTwinTests {
    @Test func `combineLatest keeps the latest elements`() {
        Twins.check { Observable.combineLatest($0.a, $0.b) { "\($0) \($1)" } }
        Twins.check { inputs in
            Observable.combineLatest(inputs.a, Observable.of(7, 8), inputs.b) { "\($0) \($1) \($2)" }
        }
        Twins.check { Observable.combineLatest([$0.a.asObservable(), $0.b.asObservable()]) { "\($0)" } }
    }

    @Test func `zip keeps the elements without a partner`() {
        Twins.check { Observable.zip($0.a, $0.b) { "\($0) \($1)" } }
        Twins.check { Observable.zip([$0.a.asObservable(), $0.b.asObservable()]) { "\($0)" } }
    }

    @Test func `merge forwards both sources`() {
        Twins.check { Observable.merge($0.a, $0.b).map(String.init) }
    }

    @Test func `withLatestFrom keeps the latest element`() {
        Twins.check { $0.a.withLatestFrom($0.b) { "\($0) \($1)" } }
        Twins.check { $0.a.withLatestFrom(Observable.just(5)) { "\($0) \($1)" } }
    }

    @Test func `sample keeps the latest element`() {
        Twins.check { $0.a.sample($0.b).map(String.init) }
        Twins.check { $0.a.sample($0.b, defaultValue: 77).map(String.init) }
    }

    @Test func `amb remembers the winner`() {
        Twins.check { $0.a.amb($0.b.asObservable()).map(String.init) }
    }

    @Test func `concat remembers the current source and its state`() {
        Twins.check { inputs in
            inputs.a.concat(inputs.b.scan(0, accumulator: +)).map(String.init)
        }
        Twins.check { inputs in
            Observable.concat(.just(1), .of(2, 3), inputs.a.take(1), inputs.b.scan(0, accumulator: +)).map(String.init)
        }
    }

    @Test func `startWith emits its elements once`() {
        Twins.check { $0.a.startWith(8, 9).map(String.init) }
        Twins.check { $0.a.startWith(8).scan(0, accumulator: +).startWith(100).map(String.init) }
    }
}
