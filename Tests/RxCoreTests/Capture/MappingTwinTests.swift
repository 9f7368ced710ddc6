import RxCore
import Testing

struct MappingTwinTests {
    @Test func `scan continues with its result`() {
        Twins.check { $0.a.scan(0, accumulator: +).map(String.init) }
        Twins.check { $0.a.scan(into: (0, "")) { $0 = ($0.0 + $1, $0.1 + "\($1)") }.map { "\($0)" } }
    }

    @Test func `reduce and toArray keep what they have received`() {
        Twins.check(seeds: Twins.seedsWithEnds) { $0.a.reduce(0, accumulator: +).map(String.init) }
        Twins.check(seeds: Twins.seedsWithEnds) { $0.a.toArray().asObservable().map { "\($0)" } }
    }

    @Test func `enumerated counts`() {
        Twins.check { $0.a.enumerated().map { "\($0.index): \($0.element)" } }
    }

    @Test func `materialize and dematerialize end once`() {
        Twins.check { $0.a.materialize().map { $0.element.map(String.init) ?? "end" } }
        Twins.check { $0.a.take(3).materialize().dematerialize().map(String.init) }
    }

    @Test func `flattening operators continue with the next source`() {
        Twins.check(completes: false) { $0.a.flatMap { Observable.of($0, $0 + 10) }.map(String.init) }
        Twins.check(completes: false) {
            $0.a.flatMapLatest { Observable.just($0).scan(1, accumulator: +) }.map(String.init)
        }
        Twins.check(completes: false) { $0.a.flatMapFirst { Observable.just($0) }.map(String.init) }
        Twins.check(completes: false) { $0.a.concatMap { Observable.just($0) }.map(String.init) }
    }

    @Test func `an inner source does not take the state of another operator`() {
        Twins.check(completes: false) { inputs in
            let first = inputs.b.startWith(0).flatMapFirst { _ in Observable.just(5).scan(100, accumulator: +) }
            return Observable.merge(first, inputs.a.scan(0, accumulator: +)).map(String.init)
        }
    }
}
