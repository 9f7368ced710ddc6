import Foundation
import Testing

/// Sessions of others are like sessions that do not exist, also by what the server does and the time that it takes.
@Suite(.serialized) struct HiddenSessionTimingTests {
    private static let measuresTime = ProcessInfo.processInfo.environment["MEASURE_TIME"] != nil
    private static let rounds = 300
    private static let repetitions = 5

    @Test func `a stranger's request causes the same look-up for every session, whether or not it exists`() throws {
        let host = try TimedHost()
        defer { host.end() }
        let work = try host.work()
        let expected = try #require(work["none 1"]?.first)
        #expect(expected.calls == ["summary"] && expected.tasks == 1 && expected.isAnswered)
        #expect(expected.response.hasPrefix("404 "))
        #expect(work.count == TimedHost.states.count + 2)
        for (kind, all) in work { #expect(all == [expected], "\(kind)") }
        #expect(try host.isPrepared())
    }

    @Test(arguments: ["live", "stored"])
    func `the comparison of look-ups notices a response that needs none`(state: String) throws {
        let host = try TimedHost()
        defer { host.end() }
        host.leak(state)
        let work = try host.work()
        let expected = try #require(work["none 1"])
        #expect(Set(work.filter { $0.value != expected }.keys) == [state])
        #expect(work[state]?.map(\.calls) == [[]])
    }

    @Test(.enabled(if: measuresTime, "It measures time."))
    func `a stranger learns nothing from the time of a response`() throws {
        let host = try TimedHost()
        defer { host.end() }
        // Without it, the first requests are slower.
        _ = try host.suspects(rounds: 30)
        let suspects = try TimingComparison.confirmed(repetitions: Self.repetitions) {
            try host.suspects(rounds: Self.rounds)
        }
        #expect(suspects.isEmpty, "faster (-1) or slower (1) than sessions that do not exist: \(suspects)")
        #expect(try host.isPrepared())
    }

    @Test(.enabled(if: measuresTime, "It measures time."), arguments: ["live", "stored"])
    func `the comparison of times notices a response that needs no look-up`(state: String) throws {
        let host = try TimedHost()
        defer { host.end() }
        host.leak(state)
        _ = try host.suspects(rounds: 30)
        let suspects = try TimingComparison.confirmed(repetitions: 2) { try host.suspects(rounds: Self.rounds) }
        #expect(suspects[state] == -1)
    }

    @Test func `a difference is one of all quantiles, and more than chance`() {
        func samples(_ values: some Sequence<Int>) -> TimingSamples {
            values.reduce(into: TimingSamples()) { $0.add(UInt64($1)) }
        }
        let (first, second) = (samples(1000..<1100), samples(1001..<1101))
        let kinds = [
            "same": samples(1002..<1102), "faster": samples(800..<900), "slower": samples(1200..<1300),
            "disturbed": samples((0..<100).map { $0 < 60 ? 1000 + $0 : 90_000 }),
        ]
        #expect(TimingComparison.suspects(kinds, first: first, second: second) == ["faster": -1, "slower": 1])
        // The machine is so busy that the two halves of the reference differ.
        #expect(TimingComparison.suspects(kinds, first: first, second: samples(1100..<1200)).isEmpty)
        var results = [["a": 1, "b": -1], ["a": 1, "b": 1], ["a": 1]]
        let confirmed = TimingComparison.confirmed(repetitions: 3) { results.removeFirst() }
        #expect(confirmed == ["a": 1])
    }
}
