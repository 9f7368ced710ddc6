import HTTPModel
import Testing

@testable import Access

/// Whether the browser that has sent a request returns a cookie. The server is `https://granary.example`.
struct CookieReturnTests {
    private func result(_ fields: HTTPFields, scheme: String = "https") -> CookieReturn {
        CookieReturn(of: .test(.post, "/v1/sessions", scheme: scheme, fields: fields))
    }

    @Test func `a client that is no browser returns no cookie`() {
        #expect(result([:]) == .never)
    }

    @Test(arguments: [
        ("same-origin", CookieReturn.always), ("none", .always), ("same-site", .withCredentials),
        ("cross-site", .never),
        ("SAME-ORIGIN", .never), ("", .never),
    ])
    func `the browser states how the page and the server are related`(_ site: String, _ expected: CookieReturn) throws {
        let value = try #require(HTTPFieldValue(site))
        #expect(result([.secFetchSite: value]) == expected)
        // A proxy in front of the server may have changed the host and the scheme of the request, but not what the browser has stated.
        #expect(result([.secFetchSite: value, .origin: "https://elsewhere.example"]) == expected)
    }

    @Test(arguments: [
        ("https://granary.example", CookieReturn.always), ("https://granary.example:443", .always),
        ("https://granary.example:8443", .withCredentials), ("https://app.granary.example", .withCredentials),
        ("http://granary.example", .never), ("https://example", .never), ("https://app.example", .never),
        ("https://evilgranary.example", .never), ("null", .never), ("capacitor://granary.example", .never),
    ])
    func `otherwise the origin of the page decides`(_ origin: String, _ expected: CookieReturn) throws {
        #expect(result([.origin: try #require(HTTPFieldValue(origin))]) == expected)
    }

    @Test func `contradictory fields count for nothing`() {
        #expect(result([.secFetchSite: "none", .secFetchSite: "same-origin"]) == .never)
        #expect(result([.origin: "https://granary.example", .origin: "https://granary.example"]) == .never)
    }

    @Test func `a cleartext server is another origin than a secure one`() {
        #expect(result([.origin: "http://granary.example:80"], scheme: "http") == .always)
        #expect(result([.origin: "https://granary.example"], scheme: "http") == .never)
    }

    @Test(arguments: [
        ("anonymous", false), ("return=minimal, anonymous", false), ("Anonymous; reason=\"none\"", false),
        ("anonymously", true), ("", true),
    ])
    func `a browser that keeps no cookies prefers none`(_ preference: String, _ isReturned: Bool) throws {
        let value = try #require(HTTPFieldValue(preference))
        #expect((result([.secFetchSite: "same-origin", .prefer: value]) == .always) == isReturned)
    }
}
