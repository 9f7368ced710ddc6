import CombineCore
import Dispatch
import Locking
import Testing

@Suite struct HostedTimingTests {
    /// A loop with a virtual clock. Only one thread touches it in these tests.
    final class VirtualLoop: MainSubstitute, @unchecked Sendable {
        private(set) var now: Duration = .seconds(1)
        private var actions: [(due: Duration, order: Int, run: () -> Void)] = []
        private var order = 0

        func schedule(_ action: @escaping () -> Void) {
            add(.zero, action)
        }

        func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable {
            let number = add(interval, action)
            return Token { self.actions.removeAll { $0.order == number } }
        }

        @discardableResult
        private func add(_ interval: Duration, _ action: @escaping () -> Void) -> Int {
            order += 1
            actions.append((now + interval, order, action))
            return order
        }

        /// A token that, unlike an `AnyCancellable`, does not cancel when it is discarded.
        struct Token: Cancellable {
            let cancelling: () -> Void

            func cancel() { cancelling() }
        }

        func advance(by seconds: Int) {
            let end = now + .seconds(seconds)
            while let next = actions.filter({ $0.due <= end }).min(by: { ($0.due, $0.order) < ($1.due, $1.order) }) {
                actions.removeAll { $0.order == next.order }
                now = max(now, next.due)
                next.run()
            }
            now = end
        }
    }

    private let loop = VirtualLoop()
    private let subject = PassthroughSubject<Int, Never>()

    @Test func `timing operators on the main queue run on the loop that substitutes for it`() {
        let (throttled, timed, gathered, subscribed) = MainContext.with(loop) {
            (
                subject.throttle(for: 10, scheduler: DispatchQueue.main, latest: true).record(),
                subject.timeout(25, scheduler: DispatchQueue.main).record(),
                subject.collect(.byTime(DispatchQueue.main, 10)).record(),
                subject.subscribe(on: DispatchQueue.main).record()
            )
        }
        #expect(subscribed.log == [])
        loop.advance(by: 0)
        subject.send(1)
        loop.advance(by: 1)
        subject.send(2)
        loop.advance(by: 9)
        #expect(subscribed.log == ["subscription SubscribeOn", "1", "2"])
        #expect(throttled.log == ["subscription Throttle", "1", "2"])
        #expect(gathered.log == ["subscription CollectByTime", "[1, 2]"])
        subject.send(3)
        loop.advance(by: 20)
        #expect(gathered.log.last == "[3]")
        #expect(timed.take() == ["subscription Timeout", "1", "2", "3"])
        loop.advance(by: 5)
        #expect(timed.log == ["finished"])
    }

    @Test func `a periodic timer ends with its stream`() {
        let recorder = MainContext.with(loop) { subject.collect(.byTime(DispatchQueue.main, 10)).record() }
        loop.advance(by: 5)
        recorder.cancel()
        subject.send(1)
        loop.advance(by: 100)
        #expect(recorder.log == ["subscription CollectByTime"])
    }
}
