import HTTPModel
import Testing

@testable import HTTP2

@Suite struct LifetimeTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private var limits = HTTP2Limits()

    init() {
        limits.handshakeTimeout = .seconds(10)
        limits.idleTimeout = .seconds(60)
        limits.maximumAge = .seconds(1000)
        limits.drainGrace = .seconds(1)
    }

    private func step(_ lifetime: inout Lifetime, _ now: MonotonicTime) -> Lifetime.Step {
        lifetime.timePassed(now: now)
    }

    private func acknowledgeNotice(_ lifetime: inout Lifetime) -> Bool { lifetime.noticeWasAcknowledged(now: start) }

    private func drain(_ lifetime: inout Lifetime) -> Bool { lifetime.drain(now: start) }

    @Test func `a connection passes through all phases from the handshake to the last GOAWAY`() {
        var lifetime = Lifetime(limits: limits, now: start, jitter: 0)
        #expect(lifetime.deadline == start + .seconds(10))
        lifetime.settingsReceived(now: start + .seconds(1))
        #expect(lifetime.deadline == start + .seconds(61))
        lifetime.streamsChanged(count: 1, now: start + .seconds(2))
        #expect(lifetime.deadline == start + .seconds(1000))
        lifetime.streamsChanged(count: 0, now: start + .seconds(500))
        #expect(lifetime.deadline == start + .seconds(560))
        #expect(step(&lifetime, start + .seconds(559)) == .nothing)
        #expect(step(&lifetime, start + .seconds(560)) == .announce)
        #expect(step(&lifetime, start + .milliseconds(560_999)) == .nothing)
        #expect(step(&lifetime, start + .seconds(561)) == .conclude)
        #expect(lifetime.deadline == nil)
        #expect(step(&lifetime, start + .seconds(5000)) == .nothing)
    }

    @Test func `a client that does not complete the handshake times out`() {
        var lifetime = Lifetime(limits: limits, now: start, jitter: 0)
        #expect(step(&lifetime, start + .seconds(10)) == .timeOut)
    }

    @Test func `the acknowledgement of the ping concludes once, and only an announced drain`() {
        var lifetime = Lifetime(limits: limits, now: start, jitter: 0)
        #expect(!acknowledgeNotice(&lifetime))
        #expect(drain(&lifetime))
        #expect(!drain(&lifetime))
        #expect(acknowledgeNotice(&lifetime))
        #expect(!acknowledgeNotice(&lifetime))
        #expect(!drain(&lifetime))
    }

    @Test(arguments: [(-1.0, 1000), (0, 1000), (0.25, 975), (1, 900), (7, 900)])
    func `the maximum age is reduced by up to a tenth`(_ jitter: Double, _ age: Int) {
        var lifetime = Lifetime(limits: limits, now: start, jitter: jitter)
        lifetime.settingsReceived(now: start)
        lifetime.streamsChanged(count: 1, now: start)
        #expect(lifetime.deadline == start + .seconds(age))
    }
}
