import Access
import HTTPModel
import Testing

@Suite struct KeySetRefreshTests {
    private let set = Array(
        #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#.utf8)

    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(1000 + number) }

    @Test func `keys are fetched at the start and then in an interval`() throws {
        var refresh = KeySetRefresh(interval: .seconds(600), now: second(0))
        #expect(refresh.timerFired(at: second(0)) == .fetch)
        #expect(refresh.timerFired(at: second(1)) == .wait)
        #expect(try refresh.fetched(set, at: second(2)).keys.count == 1)
        #expect(refresh.wakeTime == second(602))
        #expect(refresh.timerFired(at: second(601)) == .wait)
        #expect(refresh.timerFired(at: second(602)) == .fetch)
    }

    @Test func `an unknown key fetches at most every ten seconds`() throws {
        var refresh = KeySetRefresh(now: second(0))
        #expect(refresh.timerFired(at: second(0)) == .fetch)
        _ = try refresh.fetched(set, at: second(1))
        #expect(refresh.unknownKeySeen(at: second(2)) == .wait)
        #expect(refresh.wakeTime == second(10))
        #expect(refresh.unknownKeySeen(at: second(9)) == .wait)
        #expect(refresh.timerFired(at: second(10)) == .fetch)
        _ = try refresh.fetched(set, at: second(11))
        #expect(refresh.unknownKeySeen(at: second(20)) == .fetch)
    }

    @Test func `a key that is unknown during a fetch leads to another one`() throws {
        var refresh = KeySetRefresh(now: second(0))
        #expect(refresh.timerFired(at: second(0)) == .fetch)
        #expect(refresh.unknownKeySeen(at: second(3)) == .wait)
        _ = try refresh.fetched(set, at: second(4))
        #expect(refresh.wakeTime == second(10))
        #expect(refresh.timerFired(at: second(10)) == .fetch)
    }

    @Test func `failures are retried after an increasing time`() throws {
        var refresh = KeySetRefresh(interval: .seconds(100), now: second(0))
        var now = 0
        for wait in [10, 20, 40, 80, 100, 100, 100, 100] {
            #expect(refresh.timerFired(at: second(now)) == .fetch)
            refresh.failed(at: second(now))
            #expect(refresh.wakeTime == second(now + wait))
            now += wait
        }
        #expect(refresh.timerFired(at: second(now)) == .fetch)
        _ = try refresh.fetched(set, at: second(now))
        #expect(refresh.timerFired(at: second(now + 100)) == .fetch)
        refresh.failed(at: second(now + 100))
        #expect(refresh.wakeTime == second(now + 110))
    }

    @Test(arguments: ["", "{}", #"{"keys":[]}"#, "<html>", #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#])
    func `content that is not a set of public keys is a failure`(content: String) {
        var refresh = KeySetRefresh(now: second(0))
        #expect(refresh.timerFired(at: second(0)) == .fetch)
        #expect(throws: AccessConfigurationError.self) { try refresh.fetched(Array(content.utf8), at: second(1)) }
        #expect(refresh.wakeTime == second(11))
    }
}
