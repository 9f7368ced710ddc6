import RxCore
import RxTesting
import Testing

struct TraitOperatorTests {
    private final class Owner {
        var events: [String] = []
    }

    @Test func `closures receive the object, and onDisposed runs last`() {
        let owner = Owner()
        _ = Single.just(1).subscribe(
            with: owner, onSuccess: { $0.events.append("success \($1)") }, onDisposed: { $0.events.append("disposed") })
        _ = Maybe.just(2).subscribe(
            with: owner, onSuccess: { $0.events.append("success \($1)") }, onDisposed: { $0.events.append("disposed") })
        _ = Maybe<Int>.error(Failure()).subscribe(with: owner, onError: { $0.events.append("\($1 is Failure)") })
        #expect(owner.events == ["success 1", "disposed", "success 2", "disposed", "true"])
    }

    @Test func `a completable passes an object to its completion and error closures`() {
        let owner = Owner()
        _ = Completable.empty().subscribe(
            with: owner, onCompleted: { $0.events.append("completed") }, onDisposed: { $0.events.append("disposed") })
        _ = Completable.error(Failure()).subscribe(with: owner, onError: { $0.events.append("\($1 is Failure)") })
        _ = Maybe<Int>.empty().subscribe(with: owner, onCompleted: { $0.events.append("none") })
        _ = Single<Int>.error(Failure()).subscribe(with: owner, onFailure: { $0.events.append("\($1 is Failure)") })
        #expect(owner.events == ["completed", "disposed", "true", "none", "true"])
    }

    @Test func `closures do not run after the object is deallocated`() {
        let ends = PublishSubject<Int>()
        let count = Recorder<Int>()
        var owner: Owner? = Owner()
        weak let kept = owner
        if let owner {
            _ = ends.asSingle().subscribe(with: owner, onSuccess: { count.onNext($1) })
            _ = ends.asMaybe().subscribe(with: owner, onSuccess: { count.onNext($1) })
            _ = ends.ignoreElements().asCompletable().subscribe(with: owner, onCompleted: { _ in count.onNext(0) })
        }
        owner = nil
        #expect(kept == nil)
        ends.onNext(1)
        ends.onCompleted()
        #expect(count.events.isEmpty)
    }

    @Test func `just emits its element on the scheduler`() {
        let scheduler = TestScheduler(initialClock: 0)
        #expect(scheduler.run { Single.just(1, scheduler: scheduler).asObservable() }.first == .next(201, 1))
        let other = TestScheduler(initialClock: 0)
        #expect(other.run { Maybe.just(1, scheduler: other).asObservable() }.first == .next(201, 1))
    }

    @Test func `the side effects of a maybe run around its events`() {
        var order: [String] = []
        func watched(_ maybe: Maybe<Int>) -> Maybe<Int> {
            maybe.do(
                onNext: { order.append("next \($0)") }, afterNext: { order.append("after \($0)") },
                onError: { _ in order.append("error") }, afterError: { _ in order.append("after error") },
                onCompleted: { order.append("completed") }, afterCompleted: { order.append("after completed") },
                onSubscribe: { order.append("subscribe") })
        }
        #expect(watched(.just(1)).immediateEvents == [.next(1), .completed])
        #expect(order == ["subscribe", "next 1", "after 1", "completed", "after completed"])
        order = []
        #expect(watched(.error(Failure())).immediateEvents == [.error(Failure())])
        #expect(order == ["subscribe", "error", "after error"])
    }

    @Test func `a maybe converts to another maybe, a single or a completable`() {
        let (one, none) = (Maybe.just(1), Maybe<Int>.empty())
        #expect(one.compactMap { $0 > 1 ? $0 : nil }.immediateEvents == [.completed])
        #expect(one.compactMap { "\($0)" }.immediateEvents == [.next("1"), .completed])
        #expect(none.ifEmpty(switchTo: Maybe.just(2)).immediateEvents == [.next(2), .completed])
        #expect(one.ifEmpty(switchTo: Maybe.just(2)).immediateEvents == [.next(1), .completed])
        let single: Single<Int> = none.ifEmpty(switchTo: Single.just(3))
        #expect(single.immediateEvents == [.next(3), .completed])
        #expect(one.flatMapSingle { .just($0 * 10) }.immediateEvents == [.next(10), .completed])
        #expect(none.flatMapSingle { .just($0 * 10) }.immediateEvents == [.completed])
        #expect(
            one.flatMapCompletable { _ in .error(Failure()) }.asObservable().immediateEvents.first?.error is Failure)
        #expect(
            none.flatMapCompletable { _ in .error(Failure()) }.asObservable().immediateEvents.first?.isCompleted == true
        )
        #expect(one.asSingle().immediateEvents == [.next(1), .completed])
        #expect(none.asSingle().immediateEvents == [.error(RxError.noElements)])
        #expect(one.asCompletable().asObservable().immediateEvents.count == 1)
    }

    @Test func `a single runs asynchronous work and fails with its error`() async throws {
        #expect(try await Single.create { 1 }.value == 1)
        #expect(try await Single.create(detached: true, priority: .high) { 2 }.value == 2)
        await #expect(throws: Failure.self) { try await Single<Int>.create { throw Failure() }.value }
    }

    @Test func `the asynchronous work of a single is cancelled with its subscription`() async {
        let (started, starting) = AsyncStream<Void>.makeStream()
        let (cancelled, cancelling) = AsyncStream<Void>.makeStream()
        let single = Single<Int>.create {
            await withTaskCancellationHandler {
                starting.finish()
                for await _ in cancelled {}
                return 1
            } onCancel: {
                cancelling.finish()
            }
        }
        let subscription = single.subscribe()
        for await _ in started {}
        subscription.dispose()
        for await _ in cancelled {}
    }
}
