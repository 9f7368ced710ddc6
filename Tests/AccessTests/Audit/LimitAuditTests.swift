import HTTPModel
import Testing

@testable import Access

@Suite struct LimitAuditTests {
    private func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(number) }

    private func keys(_ address: String) -> LimitKeys {
        LimitKeys(.anonymous, peer: HTTPPeer(address: address, port: 1))
    }

    @Test func `each client and limit is logged once in a minute`() {
        var audit = LimitAudit()
        let events = [
            ("192.0.2.1", "rate inputs", 0), ("192.0.2.1", "rate inputs", 59), ("192.0.2.1", "quota bytes", 59),
            ("192.0.2.2", "rate inputs", 59), ("192.0.2.1", "rate inputs", 60),
        ]
        let admitted = events.map { audit.admits(keys($0.0), $0.1, at: second($0.2)) }
        #expect(admitted == [true, false, true, true, true])
    }

    @Test func `many clients at once fill neither the log nor the memory`() {
        var audit = LimitAudit(most: 10)
        let admitted = (0..<1000).count {
            audit.admits(keys("2001:db8:0:\(String($0, radix: 16))::1"), "x", at: second(0))
        }
        #expect(admitted == 10)
        let later = audit.admits(keys("192.0.2.1"), "x", at: second(60))
        #expect(later)
    }

    @Test func `events of reached limits name them`() {
        #expect(AuditEvent.Kind.quotaReached(.bytes).limit == "quota bytes")
        #expect(AuditEvent.Kind.rateExceeded(RateLimit("inputs", quota: 1, window: .seconds(1))).limit == "rate inputs")
        #expect(AuditEvent.Kind.ticketRedeemed.limit.isEmpty)
    }
}
