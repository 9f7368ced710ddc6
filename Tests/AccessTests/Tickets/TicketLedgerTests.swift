import Access
import Testing

@Suite struct TicketLedgerTests {
    private let now = UnixTime(seconds: 1_800_000_000)

    private func ticket(uses: UInt16? = 1, generation: UInt32 = 0, seconds: Int64 = 300) throws -> Ticket {
        try Ticket(
            session: SessionDigest(high: 1, low: 2), rights: .read, generation: generation,
            expires: now + .seconds(seconds), uses: uses)
    }

    private func use(_ ledger: inout TicketLedger, _ ticket: Ticket, at time: UnixTime? = nil) -> CredentialRejection? {
        do throws(CredentialRejection) {
            try ledger.use(ticket, at: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a ticket is used as often as it permits`() throws {
        var ledger = TicketLedger()
        let (once, thrice, always) = (try ticket(), try ticket(uses: 3), try ticket(uses: nil))
        #expect(use(&ledger, once) == nil)
        #expect(use(&ledger, once) == .usedTicket)
        for _ in 0..<3 { #expect(use(&ledger, thrice) == nil) }
        #expect(use(&ledger, thrice) == .usedTicket)
        for _ in 0..<5 { #expect(use(&ledger, always) == nil) }
        #expect(ledger.uses.count == 2)
    }

    @Test func `revoking ends all tickets of the generation`() throws {
        var ledger = TicketLedger()
        let old = try ticket()
        #expect(use(&ledger, old) == nil)
        ledger.revokeAll()
        #expect(use(&ledger, old) == .revokedTicket)
        #expect(use(&ledger, try ticket(uses: nil)) == .revokedTicket)
        #expect(use(&ledger, try ticket(generation: 1)) == nil)
        #expect(ledger.generation == 1)
    }

    @Test func `uses survive a restart`() throws {
        var ledger = TicketLedger(generation: 7)
        let ticket = try ticket(generation: 7)
        #expect(use(&ledger, ticket) == nil)
        var restored = TicketLedger(generation: ledger.generation, uses: ledger.uses)
        #expect(restored == ledger)
        #expect(use(&restored, ticket) == .usedTicket)
    }

    @Test func `expired tickets are forgotten, valid ones never`() throws {
        var ledger = TicketLedger()
        for _ in 0..<TicketLedger.maxCount { #expect(use(&ledger, try ticket(seconds: 10)) == nil) }
        #expect(use(&ledger, try ticket()) == .usedTicket)
        #expect(use(&ledger, try ticket(), at: now + .seconds(10)) == nil)
        #expect(ledger.uses.count == 1)
        #expect(use(&ledger, try ticket(seconds: 5), at: now + .seconds(5)) == .expired)
    }

    @Test func `a ticket stays used if the clock was set forward and is set back`() throws {
        var ledger = TicketLedger()
        let once = try ticket()
        #expect(use(&ledger, once) == nil)
        #expect(use(&ledger, try ticket(seconds: 7400), at: now + .seconds(7200)) == nil)
        #expect(use(&ledger, once) == .usedTicket)
        // After a day, it is forgotten.
        #expect(use(&ledger, try ticket(seconds: 90_000), at: now + .seconds(86_700)) == nil)
        #expect(ledger.uses.count == 2)
    }

    @Test func `the ticket of a redemption is remembered until it expires`() throws {
        var ledger = TicketLedger()
        let (once, redeemed) = (try ticket(), try ticket(uses: nil, seconds: 10))
        #expect(use(&ledger, once) == nil)
        ledger.remember(redeemed, at: now)
        #expect(ledger.expiry(ofRedeemed: redeemed.nonce, at: now) == redeemed.expires)
        #expect(ledger.expiry(ofRedeemed: redeemed.nonce, at: redeemed.expires) == nil)
        #expect(ledger.expiry(ofRedeemed: once.nonce, at: now) == nil)
        ledger.revokeAll()
        #expect(ledger.expiry(ofRedeemed: redeemed.nonce, at: now) == nil)
    }

    @Test func `redemptions take no room from uses, which are never forgotten`() throws {
        var ledger = TicketLedger()
        let (first, last) = (try ticket(uses: nil), try ticket(uses: nil))
        ledger.remember(first, at: now)
        for _ in 1..<TicketLedger.maxCount { #expect(use(&ledger, try ticket()) == nil) }
        ledger.remember(last, at: now)
        #expect(ledger.expiry(ofRedeemed: first.nonce, at: now) == nil)
        #expect(ledger.expiry(ofRedeemed: last.nonce, at: now) == last.expires)
        #expect(use(&ledger, try ticket()) == nil)
        ledger.remember(first, at: now)
        #expect(use(&ledger, try ticket()) == .usedTicket)
        #expect(ledger.uses.count == TicketLedger.maxCount)
        #expect(ledger.uses.allSatisfy { $0.count == 1 })
    }
}
