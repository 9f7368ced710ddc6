import Testing

@testable import HTTPServer

@Suite struct ThreadLoadTests {
    private let start: UInt64 = 5_000_000_000

    /// What comes of a window of 100 ms in which the thread took so much processor time, in rounds of that length.
    private func verdict(processorMilliseconds: UInt64, roundMilliseconds: UInt64 = 1) -> ThreadLoad.Verdict {
        var load = ThreadLoad()
        load.restart(now: start, processor: 70_000_000)
        let end = start + 100_000_000
        _ = load.add(roundFrom: end - roundMilliseconds * 1_000_000, to: end)
        return load.judge(now: end, processor: 70_000_000 + processorMilliseconds * 1_000_000)
    }

    @Test(arguments: [
        (UInt64(0), ThreadLoad.Verdict.roomy), (33, .roomy), (34, .moderate), (80, .moderate), (81, .saturated),
        (100, .saturated),
    ])
    func `a thread is judged by its share of a processor`(milliseconds: UInt64, expected: ThreadLoad.Verdict) {
        #expect(verdict(processorMilliseconds: milliseconds) == expected)
    }

    @Test func `one long round is too much, however idle the thread was else`() {
        #expect(verdict(processorMilliseconds: 1, roundMilliseconds: 25) == .saturated)
        #expect(verdict(processorMilliseconds: 1, roundMilliseconds: 24) == .roomy)
    }

    @Test func `nothing is judged before its window is over, and a long round counts in its own window only`() {
        var load = ThreadLoad()
        load.restart(now: start, processor: 0)
        let isEarly = load.add(roundFrom: start, to: start + ThreadLoad.window - 1)
        let isOver = load.add(roundFrom: start, to: start + 60_000_000)
        #expect([isEarly, isOver] == [false, true])
        let first = load.judge(now: start + 60_000_000, processor: 0)
        let next = start + 60_000_000 + ThreadLoad.window
        let isOverAgain = load.add(roundFrom: next - 1, to: next)
        let second = load.judge(now: next, processor: 0)
        #expect(isOverAgain)
        #expect([first, second] == [.saturated, .roomy])
    }
}
