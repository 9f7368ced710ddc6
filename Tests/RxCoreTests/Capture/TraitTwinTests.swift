import RxCore
import Testing

struct TraitTwinTests {
    @Test func `asSingle and asMaybe keep the only element until the end`() {
        Twins.check(seeds: Twins.seedsWithEnds) { inputs in
            inputs.a.filter { $0 == 2 }.asSingle().asObservable().map(String.init).catchAndReturn("failed")
        }
        Twins.check(seeds: Twins.seedsWithEnds) { inputs in
            inputs.a.filter { $0 == 2 }.asMaybe().asObservable().map(String.init).catchAndReturn("failed")
        }
    }

    @Test func `andThen continues with the second source`() {
        Twins.check { inputs in
            let first = inputs.a.take(2).ignoreElements().asCompletable()
            let second = inputs.b.scan(0, accumulator: +)
            return Observable.merge(first.andThen(second), inputs.a.scan(100, accumulator: +)).map(String.init)
        }
        Twins.check { inputs in
            let second = inputs.b.scan(0, accumulator: +)
            return Completable.empty().andThen(second).map(String.init)
        }
    }
}
