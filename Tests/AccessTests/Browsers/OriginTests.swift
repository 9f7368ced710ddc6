import Access
import Testing

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://example.com", "https://example.com"), ("HTTPS://Example.COM", "https://example.com"),
        ("https://example.com:443", "https://example.com"), ("http://example.com:80", "http://example.com"),
        ("http://example.com:443", "http://example.com:443"), ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.0.0.1", "http://127.0.0.1"), ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"), ("https://a_b.example", "https://a_b.example"),
        ("capacitor://localhost", "capacitor://localhost"), ("com.app+x-1://a:80", "com.app+x-1://a:80"),
    ])
    func `equal origins have one form`(text: String, expected: String) throws {
        #expect(try #require(Origin(text)).description == expected)
    }

    @Test(arguments: [
        "", "null", "*", "example.com", "https://", "https:///", "https://example.com/", "https://example.com/x",
        "https://a@example.com", "https://example.com:", "https://example.com:0", "https://example.com:65536",
        "https://example.com:+80", "https://example.com:8a", "://example.com", "1a://example.com", "a_b://example.com",
        "https://exam ple.com",
        "https://[::1",
        "https://[::1]x", "https://[x]", "https://*.example.com", "file://", "https://example.com?x",
        "https://é.example",
        "https://a.example, https://b.example",
    ])
    func `other texts are not origins`(text: String) {
        #expect(Origin(text) == nil)
    }

    @Test(arguments: [
        ("https://example.com", "https://example.com", true), ("https://example.com", "https://EXAMPLE.com:443", true),
        ("https://example.com", "http://example.com", false), ("https://example.com", "https://example.com:444", false),
        ("https://example.com", "https://a.example.com", false),
        ("https://example.com", "https://example.com.evil", false),
        ("https://*.example.com", "https://a.example.com", true),
        ("https://*.example.com", "https://example.com", false),
        ("https://*.example.com", "https://a.b.example.com", false),
        ("https://*.example.com", "http://a.example.com", false),
        ("https://*.example.com", "https://a.example.com:444", false),
        ("https://*.example.com", "https://.example.com", false),
        ("https://*.example.com", "https://evilexample.com", false),
        ("https://*.example.com", "https://a.example.com.evil", false),
        ("https://*.example.com:8443", "https://a.example.com:8443", true),
    ])
    func `a pattern matches one origin, or one label`(pattern: String, origin: String, matches: Bool) throws {
        #expect(try #require(OriginPattern(pattern)).matches(try #require(Origin(origin))) == matches)
    }

    @Test(arguments: [
        "*", "null", "https://*", "https://*.com", "https://a*.example.com", "https://*.*.example.com",
        "https://a.*.com",
        "https://*.127.0.0.1", "https://*.[::1]", "https://*..example.com", "*.example.com", "//*.example.com",
    ])
    func `a pattern for more than one domain is rejected`(text: String) {
        #expect(OriginPattern(text) == nil)
    }
}
