import Foundation
import RxCore
import RxTesting
import Testing

struct TraitCombiningTests {
    private func result<Element>(_ single: Single<Element>) -> Result<Element, any Error>? {
        var result: Result<Element, any Error>?
        _ = single.subscribe { result = $0 }
        return result
    }

    @Test func `singles are zipped with a closure, as tuples and as collections`() throws {
        let triple: Single<Int> = .zip(.just(1), .just(2), .just(3)) { $0 * 100 + $1 * 10 + $2 }
        #expect(try result(triple)?.get() == 123)
        let pair = Single<Any>.zip(Single.just(1), Single.just("a"))
        #expect(try #require(try result(pair)?.get()) == (1, "a"))
        #expect(try result(Single.zip([Single.just(1), Single.just(2)]))?.get() == [1, 2])
        #expect(try result(Single.zip([Single<Int>]()) { $0.count })?.get() == 0)
        let failing: Single<Int> = .zip(.just(1), .error(Failure())) { $0 + $1 }
        #expect(throws: Failure.self) { try result(failing)?.get() }
    }

    @Test func `zipped maybes are empty if one of them is`() {
        let none: Maybe<Int> = .zip(Maybe.just(1), Maybe.empty()) { $0 + $1 }
        #expect(none.asObservable().immediateEvents == [.completed])
        let both: Maybe<Int> = .zip(Maybe.just(1), Maybe.just(2)) { $0 + $1 }
        #expect(both.asObservable().immediateEvents == [.next(3), .completed])
    }

    @Test func `completables of a collection run one after another or at the same time`() {
        var order: [Int] = []
        func step(_ number: Int) -> Completable {
            .create { observer in
                order.append(number)
                observer(.completed)
                return Disposables.create()
            }
        }
        #expect(Completable.concat([step(1), step(2)]).asObservable().immediateEvents == [.completed])
        #expect(Completable.zip([step(3), step(4)]).asObservable().immediateEvents == [.completed])
        #expect(step(5).concat(step(6)).asObservable().immediateEvents == [.completed])
        #expect(order == [1, 2, 3, 4, 5, 6])
        var log: [String] = []
        _ = step(7).do(onCompleted: { log.append("before") }, afterCompleted: { log.append("after") })
            .subscribe(onCompleted: { log.append("completed") })
        #expect(log == ["before", "completed", "after"])
    }

    @Test func `traits can retry, switch after a timeout, wait, and use a resource`() {
        var attempts = 0
        let flaky = Single<Int>.deferred {
            attempts += 1
            return attempts < 3 ? .error(Failure()) : .just(attempts)
        }
        #expect(flaky.retry(when: { $0 }).asObservable().immediateEvents == [.next(3), .completed])
        let scheduler = TestScheduler(initialClock: 0)
        let late = Single<Int>.never().timeout(.seconds(10), other: .just(9), scheduler: scheduler)
        #expect(scheduler.run { late.asObservable() } == [.next(210, 9), .completed(210)])
        let ticking = TestScheduler(initialClock: 0)
        #expect(
            ticking.run { Single<Int>.timer(.seconds(5), scheduler: ticking).asObservable() }
                == [.next(205, 0), .completed(205)])
        let resource = BooleanDisposable()
        let using = Single<Int>.using({ resource }, primitiveSequenceFactory: { _ in .just(1) })
        #expect(using.asObservable().immediateEvents == [.next(1), .completed])
        #expect(resource.isDisposed)
    }

    @Test func `infallibles are combined into infallibles`() {
        let (left, right) = (BehaviorRelay(value: 1), BehaviorRelay(value: 10))
        let recorder = Recorder<Int>()
        let sum: Infallible<Int> = .combineLatest(left.asInfallible(), right.asInfallible()) { $0 + $1 }
        _ = sum.asObservable().subscribe(recorder)
        left.accept(2)
        #expect(recorder.elements == [11, 12])
        let list = Infallible.combineLatest([left.asInfallible(), right.asInfallible()])
        #expect(list.asObservable().take(1).immediateEvents == [.next([2, 10]), .completed])
    }

    @Test func `an observable is multicast inside a selector, and data is decoded`() {
        var subscriptions = 0
        let source = Observable<Int>.deferred {
            subscriptions += 1
            return .of(1, 2)
        }
        let result = source.multicast({ PublishSubject<Int>() }) { shared in
            Observable.zip(shared, shared) { $0 * 10 + $1 }
        }
        #expect(result.immediateEvents == [.next(11), .next(22), .completed])
        #expect(subscriptions == 1)
        let data = Observable.just(Data("[1,2]".utf8))
        #expect(data.decode(type: [Int].self, decoder: JSONDecoder()).immediateEvents == [.next([1, 2]), .completed])
    }

    @Test func `a reference count disposes after the primary disposal and the last release`() {
        let resource = BooleanDisposable()
        let counted = RefCountDisposable(disposable: resource)
        let user = counted.retain()
        counted.dispose()
        #expect(!resource.isDisposed)
        user.dispose()
        user.dispose()
        #expect(resource.isDisposed && counted.isDisposed)
        counted.retain().dispose()
    }
}
