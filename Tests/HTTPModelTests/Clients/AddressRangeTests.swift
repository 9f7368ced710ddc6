import HTTPModel
import Testing

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("10.0.0.0/8", "10.255.0.1", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3/8", "10.9.9.9", true), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.128", true), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::1", false), ("::1", "::1", true), ("::1", "0:0:0:0:0:0:0:1", true),
        ("::/0", "192.0.2.1", true), ("192.0.2.0/24", "::ffff:192.0.2.7", true), ("::1", "unix", false),
        ("unix", "unix", true), ("unix", "127.0.0.1", false), ("::/0", "unix", false),
    ])
    func `a range contains the addresses with its prefix`(_ range: String, _ address: String, _ isInside: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "host", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::/129",
        "::/0x1", "10.0.0.256", "10.0.0.1\0", " 10.0.0.1", "10.0.0.0/1111",
    ])
    func `an invalid range is rejected`(_ text: String) {
        #expect(AddressRange(text) == nil)
    }
}
