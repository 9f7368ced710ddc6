import CombineSchedulers
import IssueReporting
import Locking
import Testing

@Suite struct TestClockTests {
    private final class Log: Sendable {
        private let state = Lock<[String]>([])

        func add(_ text: String) { state.withLock { $0.append(text) } }

        var texts: [String] { state.withLock { $0 } }
    }

    private let log = Log()
    private let executor = TestExecutor()

    private func sleeper(_ name: String, _ duration: Duration, on clock: any Clock<Duration>) -> Task<Void, Never> {
        Task(executorPreference: executor) { [log] in
            do {
                try await clock.sleep(for: duration)
                log.add(name)
            } catch {
                log.add("\(name) cancelled")
            }
        }
    }

    @Test func `tasks continue in the order of their times`() async {
        let clock = TestClock()
        let tasks = [
            sleeper("late", .seconds(3), on: clock), sleeper("soon", .seconds(1), on: clock),
            sleeper("middle", .seconds(2), on: clock),
        ]
        await clock.waitForSleep(of: 3)
        await clock.advance(by: .seconds(2))
        #expect(log.texts == ["soon", "middle"])
        #expect(clock.now.offset == .seconds(2))
        await clock.advance(by: .seconds(1))
        for task in tasks { await task.value }
        #expect(log.texts == ["soon", "middle", "late"])
    }

    private func counter(on clock: TestClock<Duration>) -> Task<Void, Never> {
        Task(executorPreference: executor) { [log] in
            for number in 1...3 {
                try? await clock.sleep(for: .seconds(1))
                log.add("\(number) at \(clock.now.offset)")
            }
        }
    }

    @Test func `a task sleeps again and again`() async {
        let clock = TestClock()
        let task = counter(on: clock)
        await clock.waitForSleep()
        for _ in 1...3 { await clock.advance(by: .seconds(1)) }
        await task.value
        #expect(log.texts == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
    }

    @Test func `a sleep that begins during an advance can end in it`() async {
        let clock = TestClock()
        let task = counter(on: clock)
        await clock.waitForSleep()
        await clock.advance(by: .seconds(10))
        await task.value
        #expect(log.texts == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
        #expect(clock.now.offset == .seconds(10))
    }

    @Test func `a time in the past does not suspend, and the clock never goes back`() async throws {
        let clock = TestClock<Duration>(now: .init(offset: .seconds(5)))
        try await clock.sleep(until: .init(offset: .seconds(4)))
        try await clock.sleep(until: .init(offset: .seconds(1)))
        await clock.advance(to: .init(offset: .seconds(2)))
        #expect(clock.now.offset == .seconds(5))
    }

    @Test func `a sleep until the time that the clock shows ends with the next advance`() async throws {
        let clock = TestClock()
        let task = sleeper("a", .zero, on: clock)
        await clock.waitForSleep()
        await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
        #expect(log.texts == [])
        await clock.advance()
        await task.value
        #expect(log.texts == ["a"])
        #expect(clock.now.offset == .zero)
    }

    @Test func `a cancelled sleep ends at once and is forgotten`() async throws {
        let clock = TestClock()
        let task = sleeper("a", .seconds(1), on: clock)
        await clock.waitForSleep()
        await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
        task.cancel()
        await task.value
        #expect(log.texts == ["a cancelled"])
        try await clock.checkSuspension()
        // A task that was cancelled before it sleeps does not sleep either.
        let late = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test func `run advances to the end of the last sleep`() async {
        let clock = TestClock()
        let tasks = [sleeper("a", .seconds(100), on: clock), sleeper("b", .seconds(7), on: clock)]
        await clock.waitForSleep(of: 2)
        // A busy machine must not end it: the timeout is in real time.
        await clock.run(timeout: .seconds(600))
        for task in tasks { await task.value }
        #expect(log.texts == ["b", "a"])
        #expect(clock.now.offset == .seconds(100))
    }

    @Test func `run reports tasks that never stop sleeping`() async {
        let clock = TestClock()
        let task = Task(executorPreference: executor) { for await _ in clock.timer(interval: .seconds(1)) {} }
        await clock.waitForSleep()
        let found = Lock(0)
        await FoundIssue.$receiver.withValue({ _ in found.withLock { $0 += 1 } }) {
            await clock.run(timeout: .zero)
        }
        #expect(found.withLock { $0 } == 1)
        task.cancel()
        await task.value
    }

    @Test func `a timer follows the clock and ends with its task`() async {
        let clock = TestClock()
        let task = Task(executorPreference: executor) { [log] in
            for await time in clock.timer(interval: .seconds(2)) { log.add("\(time.offset)") }
            log.add("end")
        }
        await clock.waitForSleep()
        for _ in 1...2 { await clock.advance(by: .seconds(2)) }
        await clock.advance(by: .seconds(1))
        #expect(log.texts == ["2.0 seconds", "4.0 seconds"])
        await clock.advance(by: .seconds(1))
        task.cancel()
        await task.value
        #expect(log.texts == ["2.0 seconds", "4.0 seconds", "6.0 seconds", "end"])
    }

    @Test func `a slow consumer of a timer skips the times that it has missed`() async {
        let clock = TestClock()
        let task = Task(executorPreference: executor) { [log] in
            for await time in AsyncTimerSequence(interval: .seconds(1), clock: clock) {
                log.add("\(time.offset)")
                try? await clock.sleep(for: .milliseconds(4500))
            }
        }
        // The timer, then the consumer, then the timer again.
        await clock.waitForSleep()
        for pause in [Duration.seconds(1), .milliseconds(4500), .milliseconds(500)] { await clock.advance(by: pause) }
        #expect(log.texts == ["1.0 seconds", "6.0 seconds"])
        task.cancel()
        await task.value
    }
}

@Suite struct OtherClockTests {
    private let executor = TestExecutor()

    @Test func `no sleep on an immediate clock takes time`() async throws {
        let clock = ImmediateClock()
        try await clock.sleep(for: .seconds(1000))
        #expect(clock.now.offset == .seconds(1000))
        let task = Task(executorPreference: executor) {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `an unimplemented clock reports each use and goes on`() async throws {
        let messages = Lock<[String]>([])
        try await FoundIssue.$receiver.withValue({ issue in messages.withLock { $0.append(issue.message) } }) {
            let clock: any Clock<Duration> = UnimplementedClock(name: "clock")
            try await clock.sleep(for: .seconds(1))
        }
        let found = messages.withLock { $0 }
        #expect(found.count == 2)
        #expect(found.allSatisfy { $0.hasPrefix("the clock \"clock\" is not implemented, but ") })
    }

    @Test func `clocks are members of the protocol`() async throws {
        func sleep(on clock: some Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
        let messages = Lock<[String]>([])
        try await FoundIssue.$receiver.withValue({ issue in messages.withLock { $0.append(issue.message) } }) {
            try await sleep(on: .immediate)
            #expect(messages.withLock { $0.isEmpty })
            try await sleep(on: .unimplemented)
            try await sleep(on: .unimplemented(name: "clock"))
        }
        let found = messages.withLock { $0 }
        #expect(found.count == 4)
        #expect(found.first?.hasPrefix("a clock is not implemented") == true)
        #expect(found.last?.hasPrefix("the clock \"clock\" is not implemented") == true)
    }

    @Test func `an erased clock sleeps on the other one, from its own beginning`() async throws {
        let base = TestClock<Duration>(now: .init(offset: .seconds(40)))
        let clock = AnyClock(base)
        #expect(clock.now.offset == .zero)
        let task = Task(executorPreference: executor) {
            try await clock.sleep(until: clock.now.advanced(by: .seconds(2)))
        }
        await base.waitForSleep()
        await base.advance(by: .seconds(2))
        try await task.value
        #expect(clock.now.offset == .seconds(2))
        #expect(clock.minimumResolution == .zero)
    }
}
