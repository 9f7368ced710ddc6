import HTTPModel
import Testing

struct NumericAddressTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.255", true), ("::1", true), ("::ffff:127.0.0.1", true), ("126.0.0.1", false),
        ("128.0.0.1", false), ("::", false), ("::2", false), ("0.0.0.127", false), ("7f00::1", false),
        ("2001:db8::1", false), ("192.0.2.127", false),
    ])
    func `loopback addresses are distinguished from all others`(text: String, isLoopback: Bool) throws {
        #expect(try #require(NumericAddress(text)).isLoopback == isLoopback)
    }

    @Test(arguments: ["", "unix", "localhost", "[::1]", "127.0.0.1:80", "fe80::1%1", "1.2.3", "127.0.0.1\u{0}", "::g"])
    func `text that is not a numeric address is rejected`(text: String) {
        #expect(NumericAddress(text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("::", "::"),
        ("0.0.0.0", "0.0.0.0"),
    ])
    func `an address has one text`(text: String, usual: String) throws {
        let address = try #require(NumericAddress(text))
        #expect(address.text == usual)
        #expect(NumericAddress(bits: address.bits) == address)
    }

    @Test func `an IPv4 address equals its IPv6-mapped form`() {
        #expect(NumericAddress("192.0.2.1") == NumericAddress("::ffff:192.0.2.1"))
        #expect(NumericAddress("192.0.2.1") != NumericAddress("::192.0.2.1"))
    }
}
