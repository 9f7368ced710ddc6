import CombineCore
import Dispatch
import Foundation
import Testing

/// Tests that the main queue, run loop and operation queue stand for the current session.
@Suite struct MainSubstitutionTests {
    private let main = VirtualMain()
    private let subject = PassthroughSubject<Int, Never>()

    /// Subscribes with a substitute for "main", sends a value, and returns whether the substitute schedules it. Values
    /// that another scheduler delivers are ignored, because it delivers them on its own thread.
    private func isSubstituted<S: Scheduler>(_ scheduler: S) -> Bool {
        let token = MainContext.with(main) { subject.receive(on: scheduler).sink { _ in } }
        defer { token.cancel() }
        let waiting = main.count
        subject.send(1)
        defer { main.advance() }
        return main.count == waiting + 1
    }

    @Test func `only the main queue is substituted`() {
        #expect(isSubstituted(DispatchQueue.main))
        #expect(!isSubstituted(DispatchQueue(label: "other")))
        #expect(!isSubstituted(DispatchQueue.global()))
    }

    @Test func `the main run loop and the calling thread's run loop are substituted`() {
        #expect(isSubstituted(RunLoop.main))
        #expect(isSubstituted(RunLoop.current))
        let other = RunLoopThread()
        withExtendedLifetime(other) { #expect(!isSubstituted(other.runLoop)) }
    }

    @Test func `only the main operation queue is substituted`() {
        #expect(isSubstituted(OperationQueue.main))
        let other = OperationQueue()
        other.isSuspended = true
        #expect(!isSubstituted(other))
    }

    @Test func `a subscription made outside a session uses the real scheduler`() {
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

    @Test func `timing operators use the substitute's clock`() {
        #expect(moments(of: DispatchQueue.main) == [.milliseconds(2_500)])
        #expect(moments(of: RunLoop.main) == [.milliseconds(2_500)])
        #expect(moments(of: OperationQueue.main) == [.milliseconds(2_500)])
    }

    private func interval<S: Scheduler>(between first: Duration, and second: Duration, on scheduler: S) -> Duration?
    where S: MainCapable {
        scheduler.duration(of: scheduler.moment(at: first).distance(to: scheduler.moment(at: second)))
    }

    @Test func `times of the substitute keep their distance when converted to a scheduler's time`() throws {
        let (first, second) = (Duration.seconds(7), Duration.milliseconds(8_250))
        #expect(interval(between: first, and: second, on: DispatchQueue.main) == .milliseconds(1_250))
        let onRunLoop = try #require(interval(between: first, and: second, on: RunLoop.main))
        #expect(abs((onRunLoop - .milliseconds(1_250)) / .milliseconds(1)) < 0.01)
        let onOperations = try #require(interval(between: first, and: second, on: OperationQueue.main))
        #expect(abs((onOperations - .milliseconds(1_250)) / .milliseconds(1)) < 0.01)
    }

    @Test func `the current uptime is converted to the current date`() {
        // The thread may be suspended for long between two readings of a clock.
        let earliest = Date()
        let running = Duration.nanoseconds(DispatchTime.now().uptimeNanoseconds)
        let date = RunLoop.main.moment(at: running).date
        let latest = Date()
        let tolerance: TimeInterval = 1
        #expect(date >= earliest - (latest.timeIntervalSince(earliest) + tolerance))
        #expect(date <= latest + (latest.timeIntervalSince(earliest) + tolerance))
    }

    @Test func `negative, infinite and NaN intervals are converted to durations`() {
        #expect(RunLoop.main.duration(of: -3) == .zero)
        #expect(RunLoop.main.duration(of: .init(.nan)) == .zero)
        #expect(RunLoop.main.duration(of: .init(.infinity)) > .seconds(9_000_000_000))
        #expect(RunLoop.main.duration(of: 1.5) == .milliseconds(1_500))
    }
}
