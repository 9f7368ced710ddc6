import RxCore
import RxTesting
import Testing

struct TestableObservableTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func `a hot observable sends at fixed times, with or without observers`() {
        let source = scheduler.createHotObservable([.next(150, 1), .next(210, 2), .completed(1_100)])
        let observer = scheduler.start { source.asObservable() }
        #expect(observer.events == [.next(210, 2)])
        #expect(source.subscriptions == [Subscription(200, 1_000)])
    }

    @Test func `a cold observable sends relative to each subscription`() {
        let source = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start(subscribed: 300) { source.concat(source) }
        #expect(observer.events == [.next(310, 1), .next(330, 1), .completed(340)])
        #expect(source.subscriptions == [Subscription(300, 320), Subscription(320, 340)])
    }

    @Test func `an active subscription has no end`() {
        let source = scheduler.createHotObservable([Recorded<Event<Int>>.next(10, 1)])
        let subscription = source.subscribe(scheduler.createObserver(Int.self))
        #expect(source.subscriptions == [Subscription(0)])
        subscription.dispose()
        #expect(source.subscriptions == [Subscription(0, 0)])
    }

    @Test func `a recorded event has a readable description`() {
        #expect("\(Recorded<Event<Int>>.next(210, 1))" == "next(1) @ 210")
    }
}
