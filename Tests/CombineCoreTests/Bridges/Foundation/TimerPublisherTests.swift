import CombineCore
import Dispatch
import Foundation
import Locking
import Testing

@Suite struct TimerPublisherTests {
    private let main = VirtualMain()

    private func publisher(every interval: TimeInterval = 1) -> Timer.TimerPublisher {
        Timer.publish(every: interval, on: .main, in: .common)
    }

    @Test func `a timer publisher exposes its parameters`() {
        let publisher = Timer.publish(every: 2, tolerance: 0.5, on: .main, in: .default)
        #expect(publisher.interval == 2)
        #expect(publisher.tolerance == 0.5)
        #expect(publisher.runLoop === RunLoop.main)
        #expect(publisher.mode == .default)
        #expect(publisher.options == nil)
    }

    @Test func `inside a session, dates arrive one interval apart on the session's clock`() {
        let publisher = publisher(every: 1.5)
        var dates: [Date] = []
        let subscription = publisher.sink { dates.append($0) }
        let connection = MainContext.with(main) { publisher.connect() }
        main.advance(by: .milliseconds(1_499))
        #expect(dates.isEmpty)
        main.advance(by: .milliseconds(3_001))
        #expect(dates.count == 3)
        let distances = zip(dates, dates.dropFirst()).map { $1.timeIntervalSince($0) }
        #expect(distances.allSatisfy { abs($0 - 1.5) < 0.000_01 })
        connection.cancel()
        main.advance(by: .seconds(10))
        #expect(dates.count == 3)
        subscription.cancel()
    }

    @Test func `a date without demand is dropped`() {
        let publisher = publisher()
        let subscriber = PatientSubscriber<Date>()
        publisher.subscribe(subscriber)
        let connection = MainContext.with(main) { publisher.connect() }
        main.advance(by: .seconds(2))
        #expect(subscriber.values.isEmpty)
        subscriber.subscription?.request(.max(2))
        #expect(subscriber.values.isEmpty)
        main.advance(by: .seconds(5))
        #expect(subscriber.values.count == 2)
        connection.cancel()
    }

    @Test func `connecting twice starts one timer, which either token stops`() {
        let publisher = publisher()
        var count = 0
        let subscription = publisher.sink { _ in count += 1 }
        MainContext.with(main) {
            _ = publisher.connect()
            #expect(main.count == 1)
            let second = publisher.connect()
            #expect(main.count == 1)
            main.advance(by: .seconds(1))
            second.cancel()
        }
        #expect(main.count == 0)
        #expect(count == 1)
        subscription.cancel()
    }

    @Test func `the token of a stopped timer does not stop a new one`() {
        let publisher = publisher()
        MainContext.with(main) {
            let first = publisher.connect()
            first.cancel()
            let second = publisher.connect()
            first.cancel()
            #expect(main.count == 1)
            second.cancel()
            #expect(main.count == 0)
        }
    }

    @Test func `autoconnect stops the timer after the last subscriber and restarts it for a new one`() {
        let publisher = publisher().autoconnect()
        var got: [String] = []
        MainContext.with(main) {
            let first = publisher.sink { _ in got.append("first") }
            let second = publisher.sink { _ in got.append("second") }
            main.advance(by: .seconds(1))
            first.cancel()
            main.advance(by: .seconds(1))
            second.cancel()
            #expect(main.count == 0)
            let third = publisher.sink { _ in got.append("third") }
            main.advance(by: .seconds(1))
            third.cancel()
        }
        #expect(got == ["first", "second", "second", "third"])
    }

    @Test func `a subscriber that cancels during a tick receives no more dates`() {
        let publisher = publisher().autoconnect()
        var count = 0
        var token: AnyCancellable?
        MainContext.with(main) {
            token = publisher.sink { _ in
                count += 1
                token?.cancel()
            }
        }
        main.advance(by: .seconds(5))
        #expect(count == 1)
        #expect(main.count == 0)
    }

    @Test func `outside a session, the timer fires on its run loop`() {
        let thread = RunLoopThread()
        let done = DispatchSemaphore(value: 0)
        let began = Date()
        let dates = Lock<[Date]>([])
        let token = Timer.publish(every: 0.005, on: thread.runLoop, in: .default).autoconnect().sink { date in
            dates.withLock { $0.append(date) }
            if dates.withLock({ $0.count }) == 3 { done.signal() }
        }
        done.wait()
        token.cancel()
        let got = dates.withLock { $0 }
        #expect(got.first.map { $0.timeIntervalSince(began) >= 0.004 } == true)
        #expect(zip(got, got.dropFirst()).allSatisfy { $0 < $1 })
    }
}
