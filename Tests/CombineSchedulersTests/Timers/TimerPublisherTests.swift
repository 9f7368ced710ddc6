import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@Suite struct TimerPublisherTests {
    private let scheduler = DispatchQueue.test

    @Test func `values are sent one interval apart on the scheduler's clock`() {
        let start = scheduler.now
        var moments: [Int] = []
        let token = scheduler.timerPublisher(every: .seconds(2)).autoconnect().sink { moment in
            moments.append(start.distance(to: moment).magnitude / 1_000_000_000)
        }
        scheduler.advance(by: .seconds(7))
        #expect(moments == [2, 4, 6])
        token.cancel()
        scheduler.advance(by: .seconds(7))
        #expect(moments == [2, 4, 6])
    }

    @Test func `it does not run before it is connected, and two tokens share one timer`() {
        let publisher = Publishers.Timer(every: .seconds(1), scheduler: scheduler)
        var count = 0
        let subscription = publisher.sink { _ in count += 1 }
        scheduler.advance(by: .seconds(3))
        #expect(count == 0)
        let first = publisher.connect()
        let second = publisher.connect()
        scheduler.advance(by: .seconds(3))
        #expect(count == 3)
        second.cancel()
        scheduler.advance(by: .seconds(3))
        #expect(count == 3)
        let third = publisher.connect()
        first.cancel()
        scheduler.advance(by: .seconds(3))
        #expect(count == 6)
        third.cancel()
        subscription.cancel()
    }

    @Test func `it runs while a token is retained, without its publisher`() {
        var count = 0
        var tokens = Set<AnyCancellable>()
        do {
            let publisher = scheduler.timerPublisher(every: .seconds(1))
            publisher.sink { _ in count += 1 }.store(in: &tokens)
            publisher.connect().store(in: &tokens)
        }
        scheduler.advance(by: .seconds(2))
        #expect(count == 2)
        tokens.removeAll()
        scheduler.advance(by: .seconds(2))
        #expect(count == 2)
    }

    @Test func `values without demand are dropped`() {
        let publisher = scheduler.timerPublisher(every: .seconds(1)).autoconnect()
        var count = 0
        var subscription: (any Subscription)?
        publisher.subscribe(
            AnySubscriber<DispatchQueue.SchedulerTimeType, Never>(
                receiveSubscription: { subscription = $0 },
                receiveValue: { _ in
                    count += 1
                    return .none
                }))
        scheduler.advance(by: .seconds(3))
        subscription?.request(.max(2))
        scheduler.advance(by: .seconds(5))
        #expect(count == 2)
        subscription?.cancel()
    }

    @Test func `each subscriber stops its own timer`() {
        var got: [String] = []
        var fast: AnyCancellable?
        fast = scheduler.timerPublisher(every: .seconds(1)).autoconnect().sink { _ in
            got.append("fast")
            if got.count == 4 { fast?.cancel() }
        }
        let slow = scheduler.timerPublisher(every: .milliseconds(1_500)).autoconnect().sink { _ in got.append("slow") }
        scheduler.advance(by: .milliseconds(4_600))
        // At three seconds both are due; the fast one was scheduled first. It stops after its third tick.
        #expect(got == ["fast", "slow", "fast", "fast", "slow", "slow"])
        slow.cancel()
    }

    @Test func `inside a session a timer on the main scheduler runs as turns of the session`() {
        let main = VirtualMain()
        let scheduler: AnySchedulerOf<DispatchQueue> = .main
        var moments: [DispatchQueue.SchedulerTimeType] = []
        let token = main.turn {
            scheduler.timerPublisher(every: .seconds(5)).autoconnect().sink { moments.append($0) }
        }
        main.advance(by: .seconds(16))
        #expect(zip(moments, moments.dropFirst()).map { $0.distance(to: $1) } == [.seconds(5), .seconds(5)])
        token.cancel()
        main.advance(by: .seconds(16))
        #expect(moments.count == 3)
    }
}
