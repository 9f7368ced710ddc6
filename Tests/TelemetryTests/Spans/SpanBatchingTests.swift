import Testing

@testable import Telemetry

struct SpanBatchingTests {
    private var batching = SpanBatching(SpanBatching.Limits(waiting: 4, batch: 2, perSecond: 100))

    private mutating func add(_ numbers: ClosedRange<UInt64>, at now: UInt64 = 0) -> [SpanBatching.Action] {
        numbers.map { batching.spanEnded(.sample($0), now: now) }
    }

    private func spans(_ numbers: ClosedRange<UInt64>) -> SpanBatching.Action { .export(numbers.map { .sample($0) }) }

    @Test mutating func `the first span of a batch waits for others, and a full batch does not`() {
        #expect(add(1...2) == [.wait, spans(1...2)])
        #expect(batching.delayPassed() == .none)
        #expect(batching.exportEnded(isAccepted: true) == .none)
        #expect(batching.exported == 2 && batching.isIdle)
    }

    @Test mutating func `an incomplete batch is sent after the delay`() {
        #expect(add(1...1) == [.wait])
        #expect(batching.delayPassed() == spans(1...1))
        #expect(!batching.isIdle)
    }

    @Test mutating func `one batch is sent at a time`() {
        #expect(add(1...4) == [.wait, spans(1...2), .none, .none])
        #expect(batching.exportEnded(isAccepted: true) == spans(3...4))
        #expect(batching.exportEnded(isAccepted: true) == .none)
        #expect(batching.exported == 4 && batching.dropped.isEmpty)
    }

    @Test mutating func `what does not fill a batch waits again`() {
        #expect(add(1...3) == [.wait, spans(1...2), .none])
        #expect(batching.exportEnded(isAccepted: true) == .wait)
        #expect(batching.delayPassed() == spans(3...3))
    }

    @Test mutating func `spans that do not fit while a collector is slow are dropped and counted`() {
        #expect(add(1...8) == [.wait, spans(1...2), .none, .none, .none, .none, .none, .none])
        #expect(batching.dropped == [.full: 2])
        #expect(batching.exportEnded(isAccepted: true) == spans(3...4))
    }

    @Test mutating func `a batch that is not accepted is dropped, and the next one waits`() {
        #expect(add(1...4) == [.wait, spans(1...2), .none, .none])
        #expect(batching.exportEnded(isAccepted: false) == .wait)
        #expect(batching.dropped == [.refused: 2] && batching.exported == 0)
        #expect(batching.delayPassed() == spans(3...4))
    }

    @Test mutating func `more spans than the limit of a second are dropped and counted`() {
        batching = SpanBatching(SpanBatching.Limits(waiting: 100, batch: 50, perSecond: 3))
        #expect(add(1...5, at: 10) == [.wait, .none, .none, .none, .none])
        #expect(batching.dropped == [.rate: 2])
        _ = add(6...6, at: 1_000_000_009)
        #expect(batching.dropped == [.rate: 3])
        _ = add(7...7, at: 1_000_000_010)
        #expect(batching.dropped == [.rate: 3])
        #expect(batching.delayPassed() == .export([1, 2, 3, 7].map { .sample($0) }))
    }

    @Test mutating func `a clock that is set back begins another second`() {
        batching = SpanBatching(SpanBatching.Limits(perSecond: 1))
        _ = add(1...2, at: 5_000_000_000)
        _ = add(3...3, at: 1_000_000_000)
        #expect(batching.dropped == [.rate: 1])
    }

    @Test mutating func `the end sends everything, or gives up if the collector is away`() {
        #expect(batching.finish() == .none)
        #expect(batching.isIdle)
        #expect(add(1...1) == [spans(1...1)])
        #expect(add(2...4) == [.none, .none, .none])
        #expect(batching.exportEnded(isAccepted: true) == spans(2...3))
        #expect(batching.exportEnded(isAccepted: false) == .none)
        #expect(batching.isIdle && batching.dropped == [.refused: 3])
    }

    @Test mutating func `the end does not wait for the delay`() {
        #expect(add(1...1) == [.wait])
        #expect(batching.finish() == spans(1...1))
    }
}
