import Access
import Testing

@Suite struct CredentialLeaseTests {
    private func second(_ number: Int64) -> UnixTime { UnixTime(seconds: number) }

    @Test func `a stream lives until ten seconds after the newest credential expires`() {
        var lease = CredentialLease(expires: second(100))
        #expect(lease.end == second(110))
        lease.renew(expires: second(200))
        #expect(lease.end == second(210))
        lease.renew(expires: second(150))
        #expect(lease.end == second(210))
    }

    @Test func `a credential without an expiry ends the lease never`() {
        var lease = CredentialLease(expires: second(100))
        lease.renew(expires: nil)
        #expect(lease.end == nil)
        lease.renew(expires: second(50))
        #expect(lease.end == nil)
    }
}
