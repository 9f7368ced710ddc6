import RxCore
import Testing

struct TraitTests {
    @Test func `a single succeeds or fails once`() {
        let single = Single<Int>.create { observer in
            observer(.success(1))
            observer(.success(2))
            return Disposables.create()
        }
        var results: [Int] = []
        _ = single.subscribe(onSuccess: { results.append($0) })
        #expect(results == [1])
        var failures: [Failure?] = []
        _ = Single<Int>.error(Failure()).subscribe(onFailure: { failures.append($0 as? Failure) })
        #expect(failures == [Failure()])
        _ = Single.just(3).subscribe { result in results.append((try? result.get()) ?? 0) }
        #expect(results == [1, 3])
    }

    @Test func `operators of a single return singles`() {
        let single = Single.just(2)
        let mapped: Single<Int> = single.map { $0 + 1 }.flatMap { .just($0 * 10) }
        #expect(mapped.immediateEvents == [.next(30), .completed])
        let maybe: Maybe<Int> = single.filter { $0 > 2 }
        #expect(maybe.immediateEvents == [.completed])
        #expect(Single<Int>.error(Failure()).catchAndReturn(1).immediateEvents == [.next(1), .completed])
        let both: Single<Int> = .zip(single, .just(3), resultSelector: +)
        #expect(both.immediateEvents == [.next(5), .completed])
        #expect(single.asCompletable().asObservable().immediateEvents.count == 1)
    }

    @Test func `an observable without exactly one element fails as a single`() {
        #expect(Observable.just(1).asSingle().immediateEvents == [.next(1), .completed])
        let none = Observable<Int>.empty().asSingle().immediateEvents
        #expect(none == [.error(RxError.noElements)])
        let two = Observable.of(1, 2).asSingle().immediateEvents
        #expect(two.last == .error(RxError.moreThanOneElement))
    }

    @Test func `a maybe may have no element`() {
        var log: [String] = []
        func listen(to maybe: Maybe<Int>) {
            _ = maybe.subscribe(
                onSuccess: { log.append("\($0)") }, onError: { _ in log.append("error") },
                onCompleted: { log.append("completed") }, onDisposed: { log.append("disposed") })
        }
        listen(to: .just(1))
        listen(to: .empty())
        listen(to: .error(Failure()))
        #expect(log == ["1", "disposed", "completed", "disposed", "error", "disposed"])
        #expect(Maybe<Int>.empty().ifEmpty(default: 4).immediateEvents == [.next(4), .completed])
    }

    @Test func `a completable completes and is followed by another source`() {
        var count = 0
        let work = Completable.create { observer in
            count += 1
            observer(.completed)
            return Disposables.create()
        }
        var isDone = false
        _ = work.subscribe(onCompleted: { isDone = true })
        #expect(isDone)
        #expect(work.andThen(Single.just(1)).immediateEvents == [.next(1), .completed])
        #expect(work.andThen(Observable.of(1, 2)).immediateEvents == [.next(1), .next(2), .completed])
        #expect(Completable.error(Failure()).andThen(Observable.of(1)).immediateEvents == [.error(Failure())])
        _ = Completable.concat(work, work).andThen(work).subscribe()
        #expect(count == 6)
    }

    @Test func `a deferred single is created for each observer and retried`() {
        var attempts = 0
        let single = Single<Int>.deferred {
            attempts += 1
            return attempts < 3 ? .error(Failure()) : .just(attempts)
        }
        #expect(single.retry(3).immediateEvents == [.next(3), .completed])
        #expect(Single<Int>.error(Failure()).catch { _ in .just(8) }.immediateEvents == [.next(8), .completed])
    }
}
