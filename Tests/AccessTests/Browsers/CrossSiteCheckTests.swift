import Access
import HTTPModel
import Testing

@Suite struct CrossSiteCheckTests {
    private let policy = CORSPolicy([OriginPattern("https://app.example")].compactMap { $0 }, usesCookies: true)

    private func isPermitted(
        site: [String] = [], origin: [String] = [], method: HTTPMethod = .post, scheme: String = "https",
        isAmbient: Bool = true
    ) -> Bool {
        var fields = HTTPFields()
        for value in site { fields.append("sec-fetch-site", HTTPFieldValue(value) ?? "") }
        for value in origin { fields.append("origin", HTTPFieldValue(value) ?? "") }
        let request = HTTPRequest.test(method, scheme: scheme, fields: fields)
        return CrossSiteCheck.problem(of: request, isAmbient: isAmbient, policy: policy) == nil
    }

    @Test func `the page's own requests are permitted`() {
        #expect(isPermitted(site: ["same-origin"]))
        #expect(isPermitted(site: ["none"]))
        #expect(isPermitted(site: ["same-origin"], origin: ["https://granary.example"]))
        // Browsers that do not send Sec-Fetch-Site, and pages without TLS.
        #expect(isPermitted(origin: ["https://granary.example"]))
        #expect(isPermitted(origin: ["http://granary.example"], scheme: "http"))
        // Behind a proxy that terminates TLS, the scheme differs.
        #expect(isPermitted(site: ["same-origin"], origin: ["https://granary.example"], scheme: "http"))
    }

    @Test func `requests of listed origins are permitted`() {
        #expect(isPermitted(site: ["cross-site"], origin: ["https://app.example"]))
        #expect(isPermitted(origin: ["https://app.example"]))
    }

    @Test(
        arguments: [
            ([], []), (["cross-site"], []), (["same-site"], []), (["cross-site"], ["https://evil.example"]),
            (["same-site"], ["https://other.granary.example"]), ([], ["https://evil.example"]), ([], ["null"]),
            ([], ["http://granary.example"]), ([], ["https://granary.example:444"]), ([""], []), (["Same-Origin"], []),
            (["cross-site"], ["https://granary.example"]), (["same-origin", "cross-site"], []),
            (["same-origin", "same-origin"], []), ([], ["https://granary.example", "https://evil.example"]),
            ([], ["https://granary.example.evil.example"]),
        ] as [([String], [String])])
    func `requests of other sites, and of unknown ones, are rejected`(site: [String], origin: [String]) {
        for method in [HTTPMethod.post, .delete, .put, .patch, HTTPMethod(rawValue: "X")] {
            #expect(!isPermitted(site: site, origin: origin, method: method))
            #expect(isPermitted(site: site, origin: origin, method: method, isAmbient: false))
        }
        for method in [HTTPMethod.get, .head, .options] {
            #expect(isPermitted(site: site, origin: origin, method: method))
        }
    }

    @Test func `the problem states what to send`() throws {
        let problem = try #require(CrossSiteCheck.problem(of: .test(.post), isAmbient: true, policy: policy))
        #expect(problem.status == .forbidden && problem.kind == "cross-site")
        #expect(problem.detail.contains("Sec-Fetch-Site") && problem.detail.contains("access.origins"))
    }
}
