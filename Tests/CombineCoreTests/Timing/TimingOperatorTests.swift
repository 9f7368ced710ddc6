import CombineCore
import CombineSchedulers
import Dispatch
import Testing

@Suite struct TimingOperatorTests {
    private let scheduler = DispatchQueue.test
    private let subject = PassthroughSubject<Int, Mishap>()

    @Test func `throttle delivers the newest or the oldest value of an interval`() {
        let newest = subject.throttle(for: 10, scheduler: scheduler, latest: true).record()
        let oldest = subject.throttle(for: 10, scheduler: scheduler, latest: false).record()
        subject.send(1)
        scheduler.advance()
        for value in 2...4 { subject.send(value) }
        scheduler.advance(by: 9)
        #expect(newest.take() == ["subscription Throttle", "1"])
        #expect(oldest.take() == ["subscription Throttle", "1"])
        scheduler.advance(by: 1)
        #expect(newest.take() == ["4"])
        #expect(oldest.take() == ["2"])
        scheduler.advance(by: 20)
        subject.send(5)
        scheduler.advance()
        #expect(newest.take() == ["5"])
        subject.send(6)
        subject.send(completion: .failure(.first))
        #expect(newest.take() == [])
        scheduler.advance(by: 10)
        #expect(newest.take() == ["6", "failure first"])
    }

    @Test func `timeout ends a stream only after an interval without values`() {
        var isCancelled = false
        let watched = subject.handleEvents(receiveCancel: { isCancelled = true })
        let plain = watched.timeout(10, scheduler: scheduler).record()
        let failing = subject.timeout(10, scheduler: scheduler, customError: { .second }).record()
        scheduler.advance(by: 9)
        subject.send(1)
        scheduler.advance(by: 9)
        #expect(plain.take() == ["subscription Timeout", "1"])
        #expect(!isCancelled)
        scheduler.advance(by: 1)
        #expect(plain.take() == ["finished"])
        #expect(failing.take() == ["subscription Timeout", "1", "failure second"])
        #expect(isCancelled)
    }

    @Test func `a stream that ends in time is not timed out`() {
        let recorder = subject.timeout(10, scheduler: scheduler).record()
        subject.send(completion: .failure(.first))
        scheduler.advance(by: 50)
        #expect(recorder.log == ["subscription Timeout", "failure first"])
    }

    /// A scheduler that runs its actions in reverse order, as a concurrent queue may.
    final class ReversingScheduler: Scheduler {
        typealias SchedulerOptions = Never
        private(set) var actions: [() -> Void] = []
        let now = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
        let minimumTolerance = DispatchQueue.SchedulerTimeType.Stride.zero

        func schedule(options: Never?, _ action: @escaping () -> Void) { actions.append(action) }

        func schedule(
            after date: DispatchQueue.SchedulerTimeType, tolerance: DispatchQueue.SchedulerTimeType.Stride,
            options: Never?, _ action: @escaping () -> Void
        ) {}

        func schedule(
            after date: DispatchQueue.SchedulerTimeType, interval: DispatchQueue.SchedulerTimeType.Stride,
            tolerance: DispatchQueue.SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
        ) -> any Cancellable { AnyCancellable {} }

        func run() {
            let waiting = actions
            actions = []
            for action in waiting.reversed() { action() }
        }
    }

    @Test func `timeout keeps the order on a scheduler that does not keep it`() {
        let reversing = ReversingScheduler()
        let recorder = subject.timeout(10, scheduler: reversing).record()
        subject.send(1)
        subject.send(2)
        subject.send(completion: .finished)
        reversing.run()
        #expect(recorder.log == ["subscription Timeout", "1", "2", "finished"])
    }

    @Test func `measureInterval measures from the subscription`() {
        var got: [DispatchQueue.SchedulerTimeType.Stride] = []
        let token = subject.assertNoFailure().measureInterval(using: scheduler).sink { got.append($0) }
        scheduler.advance(by: 3)
        subject.send(1)
        scheduler.advance(by: 5)
        subject.send(2)
        #expect(got == [3, 5])
        token.cancel()
    }

    @Test func `subscribe(on:) subscribes, requests and cancels on the scheduler`() {
        var log: [String] = []
        let watched = subject.handleEvents(
            receiveSubscription: { _ in log.append("subscription") }, receiveCancel: { log.append("cancel") },
            receiveRequest: { log.append("request \($0)") })
        let recorder = watched.subscribe(on: scheduler).record(.max(1))
        #expect(log == [])
        scheduler.advance()
        #expect(log == ["subscription", "request max(1)"])
        subject.send(1)
        #expect(recorder.take() == ["subscription SubscribeOn", "1"])
        recorder.cancel()
        #expect(log.count == 2)
        scheduler.advance()
        #expect(log.last == "cancel")
    }

    @Test func `collect by time delivers an array after each interval`() {
        let recorder = subject.collect(.byTime(scheduler, 10)).record()
        for value in 1...3 { subject.send(value) }
        scheduler.advance(by: 9)
        #expect(recorder.take() == ["subscription CollectByTime"])
        scheduler.advance(by: 1)
        #expect(recorder.take() == ["[1, 2, 3]"])
        scheduler.advance(by: 30)
        #expect(recorder.take() == [])
        subject.send(4)
        subject.send(completion: .finished)
        #expect(recorder.take() == [])
        scheduler.advance()
        #expect(recorder.take() == ["[4]", "finished"])
    }

    @Test func `collect by time or count delivers an array on whichever comes first`() {
        let recorder = subject.collect(.byTimeOrCount(scheduler, 10, 2)).record()
        for value in 1...3 { subject.send(value) }
        #expect(recorder.take() == ["subscription CollectByTime", "[1, 2]"])
        scheduler.advance(by: 10)
        #expect(recorder.take() == ["[3]"])
        subject.send(4)
        subject.send(completion: .failure(.first))
        #expect(recorder.take() == [])
        scheduler.advance()
        #expect(recorder.take() == ["failure first"])
    }

    @Test func `a cancelled collect by time does not end`() {
        let recorder = subject.collect(.byTime(scheduler, 10)).record()
        subject.send(1)
        subject.send(completion: .finished)
        recorder.cancel()
        scheduler.advance(by: 20)
        #expect(recorder.take() == ["subscription CollectByTime"])
    }

    @Test func `collect by time keeps collecting while it waits for demand`() {
        let recorder = subject.collect(.byTime(scheduler, 10)).record(.max(1))
        subject.send(1)
        scheduler.advance(by: 10)
        subject.send(2)
        scheduler.advance(by: 10)
        subject.send(3)
        #expect(recorder.take().dropFirst() == ["[1]"])
        recorder.request(1)
        scheduler.advance(by: 10)
        #expect(recorder.take() == ["[2, 3]"])
    }
}
