import Testing

@testable import HTTPServer

@Suite struct ThreadLoadTests {
    private typealias Verdict = ThreadLoad.Verdict

    /// A thread whose load is evaluated every 100 ms.
    private struct Watched {
        private static let window: UInt64 = 100_000_000
        private var load = ThreadLoad()
        private var now: UInt64 = 5_000_000_000
        private var processor: UInt64 = 70_000_000
        private var idle: UInt64 = 9_000_000_000

        init() { load.restart(now: now, processor: processor) }

        /// Returns the verdict on a window in which the thread used `work` per cent of a processor, and `spare` per
        /// cent of a processor were idle.
        mutating func next(work: UInt64, spare: UInt64 = 0, longestRound milliseconds: UInt64 = 1) -> Verdict {
            now += Watched.window
            processor += Watched.window / 100 * work
            idle += Watched.window / 100 * spare
            _ = load.add(roundFrom: now - milliseconds * 1_000_000, to: now)
            return load.judge(now: now, processor: processor) { [idle] in idle }
        }
    }

    @Test(arguments: [
        (UInt64(0), ThreadLoad.Verdict.light), (33, .light), (34, .moderate), (80, .moderate), (81, .busy),
        (100, .busy),
    ])
    func `a thread is classified by its share of a processor`(work: UInt64, expected: ThreadLoad.Verdict) {
        var watched = Watched()
        let verdict = watched.next(work: work)
        #expect(verdict == expected)
    }

    @Test func `one long round is an overload, however idle the thread was otherwise`() {
        var watched = Watched()
        let verdicts = [24, 25, 1].map { watched.next(work: 1, longestRound: $0) }
        #expect(verdicts == [.light, .overloaded, .light])
    }

    @Test(arguments: [
        (UInt64(49), ThreadLoad.Verdict.busy), (50, .overloaded), (100, .overloaded), (6400, .overloaded),
    ])
    func `a busy thread is overloaded once other processors have been idle for a while`(
        spare: UInt64, expected: ThreadLoad.Verdict
    ) {
        var watched = Watched()
        let verdicts = (0..<5).map { _ in watched.next(work: 95, spare: spare) }
        #expect(verdicts == [.busy, .busy, expected, .busy, expected])
    }

    @Test func `an interrupted busy period begins again`() {
        var watched = Watched()
        let verdicts = [95, 95, 20, 95, 95, 95].map { watched.next(work: $0, spare: 100) }
        #expect(verdicts == [.busy, .busy, .light, .busy, .busy, .overloaded])
    }

    @Test func `no verdict is returned before the window has passed`() {
        var load = ThreadLoad()
        load.restart(now: 1000, processor: 0)
        let isEarly = load.add(roundFrom: 1000, to: 1000 + ThreadLoad.window - 1)
        let isOver = load.add(roundFrom: 1000, to: 1000 + ThreadLoad.window)
        #expect([isEarly, isOver] == [false, true])
    }
}
