import Dispatch
import RxCore
import Testing

struct FilteringTwinTests {
    @Test func `distinctUntilChanged remembers the last element`() {
        Twins.check { $0.a.distinctUntilChanged().map(String.init) }
        Twins.check { $0.a.map { ($0, "\($0 / 2)") }.distinctUntilChanged { $0.1 }.map { "\($0)" } }
    }

    @Test func `take counts`() {
        Twins.check { $0.a.take(3).map(String.init) }
        Twins.check { inputs in inputs.a.take(2).concat(inputs.b).map(String.init) }
    }

    @Test func `takeLast keeps the last elements`() {
        Twins.check(seeds: Twins.seedsWithEnds) { $0.a.takeLast(2).map(String.init) }
    }

    @Test func `take(until:) stays ended`() {
        Twins.check { $0.a.take(until: $0.b).map(String.init) }
        Twins.check { $0.a.take(until: { $0 == 3 }, behavior: .inclusive).map(String.init) }
        Twins.check { $0.a.take(while: { $0 != 3 }).map(String.init) }
    }

    @Test func `take(for:) and skip(_:) count from the first subscription`() {
        Twins.check { $0.a.take(for: .milliseconds(200), scheduler: MainScheduler.instance).map(String.init) }
        Twins.check { $0.a.skip(.milliseconds(200), scheduler: MainScheduler.instance).map(String.init) }
    }

    @Test func `skip counts`() {
        Twins.check { $0.a.skip(3).map(String.init) }
    }

    @Test func `skip(while:) and skip(until:) stay open`() {
        Twins.check { $0.a.skip(while: { $0 < 3 }).map(String.init) }
        Twins.check { $0.a.skip(until: $0.b).map(String.init) }
    }

    @Test func `element(at:) and single end once`() {
        Twins.check { $0.a.element(at: 2).map(String.init) }
        Twins.check { $0.a.filter { $0 == 2 }.single().map(String.init).catchAndReturn("failed") }
        Twins.check { $0.a.first().asObservable().map { "\($0 ?? -1)" } }
    }

    @Test func `ifEmpty continues with the other source`() {
        Twins.check { inputs in
            inputs.a.filter { $0 > 2 }.ifEmpty(switchTo: inputs.b.scan(0, accumulator: +)).map(String.init)
        }
        Twins.check { $0.a.filter { $0 > 2 }.ifEmpty(default: 9).map(String.init) }
    }
}
