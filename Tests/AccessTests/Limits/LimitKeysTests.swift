import HTTPModel
import Testing

@testable import Access

@Suite struct LimitKeysTests {
    private func key(_ address: String) -> LimitKey? {
        LimitKeys(.anonymous, peer: HTTPPeer(address: address, port: 1)).first
    }

    @Test func `anonymous clients are counted by IPv4 address or IPv6 network`() {
        #expect(key("192.0.2.1") != nil)
        #expect(key("192.0.2.1") != key("192.0.2.2"))
        #expect(key("192.0.2.1") == key("::ffff:192.0.2.1"))
        #expect(key("2001:db8:0:1::1") == key("2001:db8:0:1:ffff::2"))
        #expect(key("2001:db8:0:1::1") != key("2001:db8:0:2::1"))
        // Not the IPv4-mapped network as one client.
        #expect(key("::ffff:192.0.2.1") != key("::ffff:192.0.2.2"))
    }

    @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1", "unix", "unknown"])
    func `local clients are not limited`(address: String) {
        #expect(key(address) == nil)
        let ada = TestHash.requester(.token, "ada")
        #expect(LimitKeys(ada, peer: HTTPPeer(address: address, port: 1)).all.count == 1)
    }

    @Test func `a stored session counts for its owner`() {
        let hash = TestHash.hasher.hash(of: Principal(method: .token, id: "ada"))
        let peer = HTTPPeer(address: "192.0.2.1", port: 1)
        #expect(LimitKeys(owner: hash) == LimitKeys(TestHash.requester(.token, "ada"), peer: peer))
        #expect(LimitKeys(owner: nil).all.isEmpty)
    }

    @Test func `a principal is counted as itself, a cookie also by its address, a ticket by its address`() throws {
        let peer = HTTPPeer(address: "192.0.2.1", port: 1)
        let address = try #require(key("192.0.2.1"))
        for method in Principal.Method.allCases {
            let requester = TestHash.requester(method, "ada")
            let hash = TestHash.hasher.hash(of: Principal(method: method, id: "ada"))
            let expected = [LimitKey.principal(hash)] + (method == .cookie ? [address] : [])
            #expect(LimitKeys(requester, peer: peer).all == expected)
        }
        let ticket = try Ticket(
            session: SessionDigest(high: 1, low: 1), rights: .read, generation: 0, expires: .never)
        #expect(LimitKeys(.ticket(ticket), peer: peer).all == [address])
    }
}
