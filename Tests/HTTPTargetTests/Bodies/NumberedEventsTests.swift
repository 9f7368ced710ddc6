import HTTPModel
import Testing

@testable import HTTPTarget

@Suite struct NumberedEventsTests {
    /// A loop whose timers a test fires manually.
    private final class Loop: EventLoop, @unchecked Sendable {
        // Sendable only because the protocol requires it: a test uses it on its own thread.
        private final class Timer: EventLoopTimer {
            var work: (() -> Void)?
            func cancel() { work = nil }
        }

        private var timers: [Timer] = []
        var index: Int { 0 }
        var count: Int { 1 }
        var isCurrent: Bool { true }
        var now: MonotonicTime { MonotonicTime(nanoseconds: 0) }
        func execute(_ work: @escaping @Sendable () -> Void) { work() }
        func schedule(after delay: Duration, _ work: @escaping () -> Void) -> any EventLoopTimer {
            let timer = Timer()
            timer.work = work
            timers.append(timer)
            return timer
        }
        /// Fires the pending timers; returns whether there were any.
        func fire() -> Bool {
            let due = timers.compactMap(\.work)
            timers = []
            for work in due { work() }
            return !due.isEmpty
        }
    }

    private final class Consumer: HTTPBodyConsumer {
        var calls = 0
        func bodyIsReady() { calls += 1 }
    }

    private let loop = Loop()
    private let consumer = Consumer()

    private func read(_ stream: NumberedEvents, limit: Int = 1 << 16) -> (ids: [String], progress: HTTPBodyProgress) {
        var bytes: [UInt8] = []
        let progress = stream.read(into: &bytes, limit: limit)
        var parser = EventStreamParser()
        return (parser.receive(bytes).map(\.id), progress)
    }

    private func word(_ progress: HTTPBodyProgress) -> String {
        switch progress {
        case .more: "more"
        case .waiting: "waiting"
        case .finished: "finished"
        }
    }

    @Test func `the first event is available immediately, and one more after every interval`() {
        let stream = NumberedEvents(after: 6, upTo: 9, every: .seconds(1), retry: .seconds(1), loop: loop)
        stream.start(consumer)
        #expect(read(stream).ids == ["7"])
        #expect(read(stream).ids.isEmpty)
        #expect(loop.fire())
        #expect(consumer.calls == 1)
        let second = read(stream)
        #expect(second.ids == ["8"])
        #expect(word(second.progress) == "waiting")
        #expect(loop.fire())
        let last = read(stream)
        #expect(last.ids == ["9"])
        #expect(word(last.progress) == "finished")
        #expect(!loop.fire())
    }

    @Test func `events that a reader has not read accumulate up to the number of remaining events`() {
        let stream = NumberedEvents(after: 0, upTo: 4, every: .seconds(1), retry: .seconds(1), loop: loop)
        stream.start(consumer)
        var rounds = 0
        while loop.fire() { rounds += 1 }
        #expect(rounds == 4)
        #expect(read(stream).ids == ["1", "2", "3", "4"])
    }

    @Test func `a read may exceed its limit by at most one event`() {
        let stream = NumberedEvents(after: 0, upTo: 1_000_000, every: .zero, retry: .seconds(1), loop: loop)
        stream.start(consumer)
        var bytes: [UInt8] = []
        #expect(word(stream.read(into: &bytes, limit: 1000)) == "more")
        #expect((1000..<1040).contains(bytes.count))
    }

    @Test func `a stream that was stopped or drained schedules no more timers`() {
        let stopped = NumberedEvents(after: 0, upTo: 4, every: .seconds(1), retry: .seconds(1), loop: loop)
        stopped.start(consumer)
        stopped.stop()
        #expect(!loop.fire())
        let drained = NumberedEvents(after: 0, upTo: 4, every: .seconds(1), retry: .seconds(1), loop: loop)
        drained.start(consumer)
        drained.drain()
        #expect(consumer.calls == 1)
        var bytes: [UInt8] = []
        #expect(word(drained.read(into: &bytes, limit: 1000)) == "finished")
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("event: end\ndata: {\"reason\":\"draining\"}\n\n"))
        #expect(!loop.fire())
    }
}
