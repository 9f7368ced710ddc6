import RxCore
import Testing

struct SharingTwinTests {
    @Test func `a shared source has one state`() {
        Twins.check { inputs in
            let sum = inputs.a.scan(0, accumulator: +).share()
            return Observable.merge(sum, sum.map { -$0 }).map(String.init)
        }
    }

    @Test func `a shared source that has ended keeps the states of others apart`() {
        for scope in [SubjectLifetimeScope.whileConnected, .forever] {
            for replay in [0, 1] {
                Twins.check { inputs in
                    let first = inputs.a.take(2).scan(0, accumulator: +).share(replay: replay, scope: scope)
                    let other = inputs.b.scan(1000, accumulator: +)
                    return Observable.merge(first, first.map { -$0 }.take(1), first.map { -$0 * 10 }, other)
                        .map(String.init)
                }
            }
        }
    }

    @Test func `replayed elements are kept`() {
        Twins.check(completes: false) { inputs in
            let sum = inputs.a.scan(0, accumulator: +).startWith(1, 2).share(replay: 2)
            // Subscribed later, so that the elements are replayed after a restart, too.
            let later = inputs.b.flatMapLatest { _ in sum.take(2) }
            return Observable.merge(sum.map { -$0 }, later).map(String.init)
        }
    }

    @Test func `publish and multicast connect again`() {
        Twins.check { inputs in
            inputs.a.scan(0, accumulator: +).publish().refCount().map(String.init)
        }
        // Without completions, after which an inner source would subscribe to another subject.
        Twins.check(completes: false) { inputs in
            let shared = inputs.a.scan(0, accumulator: +).replayAll()
            _ = shared.connect()
            return Observable.merge(
                shared.map(String.init), inputs.b.take(1).flatMap { _ in shared.map { "again \($0)" } }
            )
            .filter { !$0.hasPrefix("again") }
        }
    }

    @Test func `multicast with a selector continues`() {
        Twins.check { inputs in
            inputs.a.multicast({ PublishSubject<Int>() }, selector: { $0.scan(0, accumulator: +) }).map(String.init)
        }
    }
}
