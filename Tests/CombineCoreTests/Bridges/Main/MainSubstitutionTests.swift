import CombineCore
import Dispatch
import Foundation
import Testing

/// "Main means the session", for each of the schedulers that has a main one.
@Suite struct MainSubstitutionTests {
    private let main = VirtualMain()
    private let subject = PassthroughSubject<Int, Never>()

    /// Subscribes with a stand-in for "main", sends a value, and tells whether it waits at the stand-in. What another
    /// scheduler delivers is not looked at, since it comes on a thread of its own.
    private func isSubstituted<S: Scheduler>(_ scheduler: S) -> Bool {
        let token = MainContext.with(main) { subject.receive(on: scheduler).sink { _ in } }
        defer { token.cancel() }
        let waiting = main.count
        subject.send(1)
        defer { main.advance() }
        return main.count == waiting + 1
    }

    @Test func `the main queue is substituted and no other is`() {
        #expect(isSubstituted(DispatchQueue.main))
        #expect(!isSubstituted(DispatchQueue(label: "other")))
        #expect(!isSubstituted(DispatchQueue.global()))
    }

    @Test func `the main run loop is substituted, and so is that of the calling thread`() {
        #expect(isSubstituted(RunLoop.main))
        #expect(isSubstituted(RunLoop.current))
        let other = RunLoopThread()
        withExtendedLifetime(other) { #expect(!isSubstituted(other.runLoop)) }
    }

    @Test func `the main operation queue is substituted and no other is`() {
        #expect(isSubstituted(OperationQueue.main))
        let other = OperationQueue()
        other.isSuspended = true
        #expect(!isSubstituted(other))
    }

    @Test func `a subscription outside a session uses the real scheduler, even when values are sent inside one`() {
        let queue = OperationQueue()
        queue.isSuspended = true
        var got: [Int] = []
        let token = subject.receive(on: queue).sink { got.append($0) }
        MainContext.with(main) { subject.send(1) }
        #expect(main.count == 0)
        #expect(queue.operationCount == 1)
        token.cancel()
    }

    private func moments<S: Scheduler>(of scheduler: S) -> [Duration] {
        var moments: [Duration] = []
        let began = main.now
        let token = MainContext.with(main) {
            subject.debounce(for: .milliseconds(300), scheduler: scheduler)
                .delay(for: .seconds(2), scheduler: scheduler)
                .sink { _ in moments.append(main.now - began) }
        }
        subject.send(1)
        main.advance(by: .milliseconds(200))
        subject.send(2)
        main.advance(by: .seconds(10))
        token.cancel()
        return moments
    }

    @Test func `timing operators take the stand-in's time`() {
        #expect(moments(of: DispatchQueue.main) == [.milliseconds(2_500)])
        #expect(moments(of: RunLoop.main) == [.milliseconds(2_500)])
        #expect(moments(of: OperationQueue.main) == [.milliseconds(2_500)])
    }

    private func interval<S: Scheduler>(between first: Duration, and second: Duration, on scheduler: S) -> Duration?
    where S: MainCapable {
        scheduler.duration(of: scheduler.moment(at: first).distance(to: scheduler.moment(at: second)))
    }

    @Test func `moments of the stand-in are as far apart on the clock of the scheduler`() throws {
        let (first, second) = (Duration.seconds(7), Duration.milliseconds(8_250))
        #expect(interval(between: first, and: second, on: DispatchQueue.main) == .milliseconds(1_250))
        let onRunLoop = try #require(interval(between: first, and: second, on: RunLoop.main))
        #expect(abs((onRunLoop - .milliseconds(1_250)) / .milliseconds(1)) < 0.01)
        let onOperations = try #require(interval(between: first, and: second, on: OperationQueue.main))
        #expect(abs((onOperations - .milliseconds(1_250)) / .milliseconds(1)) < 0.01)
    }

    @Test func `the real running time stands for the real date`() {
        let running = Duration.nanoseconds(DispatchTime.now().uptimeNanoseconds)
        let distance = RunLoop.main.moment(at: running).date.timeIntervalSinceNow
        #expect(abs(distance) < 1)
    }

    @Test func `an interval that is negative, endless or no number has a duration`() {
        #expect(RunLoop.main.duration(of: -3) == .zero)
        #expect(RunLoop.main.duration(of: .init(.nan)) == .zero)
        #expect(RunLoop.main.duration(of: .init(.infinity)) > .seconds(9_000_000_000))
        #expect(RunLoop.main.duration(of: 1.5) == .milliseconds(1_500))
    }
}
