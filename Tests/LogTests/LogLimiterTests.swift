import Locking
import Testing

@testable import Log

struct LogLimiterTests {
    private var limiter = LogLimiter(allowance: 2, interval: 100)

    @Test mutating func `the first events of a kind are written, and a summary counts the others`() {
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 10) == .write)
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 20) == .write)
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 30) == .suppress(endsAt: 110))
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 109) == .suppress(endsAt: nil))
        let (summaries, next) = limiter.intervalEnded(now: 110)
        #expect(summaries == [.init(kind: .init(level: .info, message: "ended"), count: 2)])
        #expect(next == nil)
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 111) == .write)
    }

    @Test mutating func `infrequent events are all written`() {
        for now in stride(from: UInt64(0), to: 10_000, by: 60) {
            #expect(limiter.admit(.init(level: .info, message: "ended"), now: now) == .write)
        }
        #expect(limiter.intervalEnded(now: 10_000).summaries.isEmpty)
    }

    @Test mutating func `each kind has its own count and interval`() {
        for now: UInt64 in [0, 1, 2] { _ = limiter.admit(.init(level: .info, message: "a"), now: now) }
        for now: UInt64 in [50, 51, 52, 53] { _ = limiter.admit(.init(level: .error, message: "b"), now: now) }
        #expect(limiter.admit(.init(level: .info, message: "c"), now: 60) == .write)
        var (summaries, next) = limiter.intervalEnded(now: 100)
        #expect(summaries == [.init(kind: .init(level: .info, message: "a"), count: 1)])
        #expect(next == 150)
        (summaries, next) = limiter.intervalEnded(now: 150)
        #expect(summaries == [.init(kind: .init(level: .error, message: "b"), count: 2)])
        #expect(next == nil)
    }

    @Test mutating func `an event after an interval that has not been reported is counted in that interval`() {
        for now: UInt64 in [0, 1, 2] { _ = limiter.admit(.init(level: .info, message: "a"), now: now) }
        #expect(limiter.admit(.init(level: .info, message: "a"), now: 500) == .suppress(endsAt: nil))
        #expect(limiter.intervalEnded(now: 501).summaries.map(\.count) == [2])
    }

    @Test mutating func `ending all intervals reports all suppressed events`() {
        for now: UInt64 in [0, 1, 2, 3] { _ = limiter.admit(.init(level: .info, message: "a"), now: now) }
        #expect(limiter.endAll().map(\.count) == [2])
        #expect(limiter.endAll().isEmpty)
        let (summaries, next) = limiter.intervalEnded(now: 100)
        #expect(summaries.isEmpty)
        #expect(next == nil)
    }

    @Test mutating func `memory is bounded for any number of kinds, and every event is reported`() {
        var written = 0
        for number in 0..<10_000 where limiter.admit(.init(level: .info, message: "kind \(number)"), now: 0) == .write {
            written += 1
        }
        #expect(written == LogLimiter.kinds + 2)
        let (summaries, _) = limiter.intervalEnded(now: 100)
        #expect(summaries == [.init(kind: .init(level: .info, message: "other events"), count: 10_000 - written)])
    }

    private func kind(_ client: Int) -> LogLimiter.Kind {
        .init(level: .info, message: "refused", subject: [.init("client", .number(client))])
    }

    @Test mutating func `each subject of a kind has its own count`() {
        for _ in 0..<100 { _ = limiter.admit(kind(1), now: 0) }
        #expect(limiter.admit(kind(2), now: 1) == .write)
        #expect(limiter.admit(.init(level: .info, message: "refused"), now: 1) == .write)
        #expect(limiter.intervalEnded(now: 101).summaries == [.init(kind: kind(1), count: 98)])
    }

    @Test mutating func `many subjects leave room for other kinds, and every event is reported`() {
        var written = 0
        for client in 0..<10_000 where limiter.admit(kind(client), now: 0) == .write { written += 1 }
        #expect(written == LogLimiter.subjects + 2)
        #expect(limiter.admit(.init(level: .info, message: "ended"), now: 0) == .write)
        let (summaries, _) = limiter.intervalEnded(now: 100)
        #expect(
            summaries == [.init(kind: .init(level: .info, message: "refused"), count: 10_000 - written)])
        // There is room again.
        #expect(limiter.admit(kind(20_000), now: 200) == .write)
        for _ in 0..<10 { _ = limiter.admit(kind(20_000), now: 200) }
        #expect(limiter.intervalEnded(now: 300).summaries == [.init(kind: kind(20_000), count: 9)])
    }
}

struct LimitedEventsTests {
    private struct Clock: Sendable {
        var now: UInt64 = 0
        var work: [(time: UInt64, body: @Sendable () -> Void)] = []
        var lines: [String] = []
    }

    private let clock = Lock(Clock())

    private var events: LimitedEvents {
        LimitedEvents {
            clock.withLock(\.now)
        } schedule: { time, body in
            clock.withLock { $0.work.append((time, body)) }
        } sink: { event in
            clock.withLock {
                $0.lines.append(
                    ([event.message] + event.fields.map { "\($0.name)=\($0.value)" }).joined(separator: " "))
            }
        }
    }

    private func event(_ message: String, isLimited: Bool = true) -> LogEvent {
        var event = LogEvent(level: .info, message: message, fields: [])
        event.isLimited = isLimited
        return event
    }

    /// Advances the time and runs the work that is due.
    private func advance(to time: UInt64) {
        let due = clock.withLock { clock in
            clock.now = time
            defer { clock.work.removeAll { $0.time <= time } }
            return clock.work.filter { $0.time <= time }
        }
        for work in due { work.body() }
    }

    @Test func `a flood is written as a few lines and a summary per interval, also at the end`() {
        let events = events
        for round in UInt64(1)...3 {
            for _ in 0..<1_000 { events.take(event("ended")) }
            if round < 3 { advance(to: round * 10_000_000_000) }
        }
        events.finish()
        let burst = [String](repeating: "ended", count: LimitedEvents.allowance)
        let summary = "ended suppressed=number(\(1_000 - LimitedEvents.allowance))"
        #expect(clock.withLock(\.lines) == burst + [summary] + burst + [summary] + burst + [summary])
        advance(to: 100_000_000_000)
        #expect(clock.withLock(\.lines.count) == 3 * (LimitedEvents.allowance + 1))
    }

    @Test func `a summary names its subject`() {
        let events = events
        var refused = event("refused")
        refused.subject = [.init("client", "192.0.2.1")]
        for _ in 0..<10 { events.take(refused) }
        events.finish()
        #expect(clock.withLock(\.lines).last == "refused suppressed=number(5) client=text(\"192.0.2.1\")")
    }

    @Test func `events that are not limited are always written`() {
        let events = events
        for _ in 0..<100 { events.take(event("listening", isLimited: false)) }
        #expect(clock.withLock(\.lines.count) == 100)
    }
}
