import Access
import HTTPModel
import Testing

@Suite struct CORSPolicyTests {
    private func policy(_ patterns: String..., usesCookies: Bool = false) -> CORSPolicy {
        CORSPolicy(patterns.compactMap { OriginPattern($0) }, usesCookies: usesCookies)
    }

    private func fields(_ policy: CORSPolicy, _ origin: HTTPFieldValue?) -> HTTPFields {
        var request = HTTPFields()
        if let origin { request.append("origin", origin) }
        var response = HTTPFields()
        policy.addFields(to: &response, for: request)
        return response
    }

    @Test func `a listed origin may read responses`() {
        let response = fields(policy("https://*.example.com"), "https://a.example.com")
        #expect(response.value("access-control-allow-origin") == "https://a.example.com")
        #expect(response.value("vary") == "Origin")
        #expect(!response.contains("access-control-allow-credentials"))
        let exposed = response.value("access-control-expose-headers") ?? ""
        #expect(
            exposed == """
                Location, ETag, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Stream-Next-Offset, \
                Stream-Up-To-Date, Stream-Cursor, Stream-Closed
                """)
    }

    @Test(arguments: [
        "https://evil.example", "null", "https://a.b.example.com", "http://a.example.com", "https://a.example.com/",
        "HTTPS://A.example.com", "https://a.example.com:443", "*", "",
    ])
    func `another origin is not reflected, and the response varies`(origin: String) {
        let response = fields(policy("https://*.example.com"), HTTPFieldValue(origin))
        #expect(response.count == 1)
        #expect(response.value("vary") == "Origin")
    }

    @Test func `the response varies even without an origin`() {
        #expect(fields(policy("https://a.example"), nil).value("vary") == "Origin")
        #expect(fields(policy(), "https://a.example").isEmpty)
    }

    @Test func `two origins are none`() {
        var response = HTTPFields()
        policy("https://a.example").addFields(
            to: &response, for: ["origin": "https://a.example", "origin": "https://a.example"])
        #expect(response.count == 1)
    }

    @Test func `credentials are permitted only where cookies are used`() {
        let response = fields(policy("https://a.example", usesCookies: true), "https://a.example")
        #expect(response.value("access-control-allow-credentials") == "true")
    }

    @Test func `a preflight request of a listed origin gets all permissions at once`() throws {
        let request: HTTPFields = ["origin": "https://a.example", "access-control-request-method": "POST"]
        let response = try #require(policy("https://a.example", usesCookies: true).preflight(.options, request))
        #expect(response.value("access-control-allow-origin") == "https://a.example")
        #expect(response.value("access-control-allow-credentials") == "true")
        #expect(response.value("access-control-allow-methods") == "GET, HEAD, POST, DELETE")
        let names = response.value("access-control-allow-headers") ?? ""
        for name in [
            "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "Traceparent", "Baggage",
        ] {
            #expect(names.contains(name))
        }
        #expect(response.value("access-control-max-age") == "7200")
        #expect(response.value("vary")?.hasPrefix("Origin") == true)
        #expect(!response.contains("access-control-allow-private-network"))
    }

    @Test func `a preflight request of another origin gets no permission`() throws {
        let request: HTTPFields = ["origin": "https://b.example", "access-control-request-method": "POST"]
        let response = try #require(policy("https://a.example").preflight(.options, request))
        #expect(response.count == 1 && response.contains("vary"))
    }

    @Test func `other requests are not preflight requests`() {
        let policy = policy("https://a.example")
        let request: HTTPFields = ["origin": "https://a.example", "access-control-request-method": "POST"]
        #expect(policy.preflight(.post, request) == nil)
        #expect(policy.preflight(.options, ["origin": "https://a.example"]) == nil)
        #expect(policy.preflight(.options, ["access-control-request-method": "POST"]) == nil)
    }
}
