import Testing

@testable import Access

@Suite struct OperatorSelectorTests {
    private func selects(_ text: String, _ principal: Principal) throws -> Bool {
        try #require(OperatorSelector(text), "\(text)").selects(principal)
    }

    @Test(arguments: [
        "", "prometheus", "apiKey", "apiKey:", "apikey:a", "token:ada", "cookie:a", "host:ada", "claim:", "claim:role",
        "claim:role=", "claim:=operator", ":a", "certificate:",
    ])
    func `another text selects nobody`(_ text: String) {
        #expect(OperatorSelector(text) == nil)
    }

    @Test(arguments: [
        ("apiKey", Principal.Method.apiKey), ("certificate", .certificate), ("proxy", .proxy),
    ])
    func `an id selects the principal of its method only`(_ word: String, _ method: Principal.Method) throws {
        for other in Principal.Method.allCases {
            #expect(try selects("\(word):ada", Principal(method: other, id: "ada")) == (other == method), "\(other)")
        }
        for id in ["ad", "ada ", "Ada", ""] {
            #expect(try !selects("\(word):ada", Principal(method: method, id: id)), "\(id)")
        }
        // An id may contain what separates the parts of a text.
        #expect(try selects("\(word):CN=a:b", Principal(method: method, id: "CN=a:b")))
    }

    @Test func `ids and values are compared byte by byte`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(try !selects("proxy:\(composed)", Principal(method: .proxy, id: decomposed)))
        let claims = "{\"role\":\"\(decomposed)\"}"
        #expect(try !selects("claim:role=\(composed)", Principal(method: .token, id: "ada", claims: claims)))
        #expect(try selects("claim:role=\(decomposed)", Principal(method: .token, id: "ada", claims: claims)))
    }

    @Test(arguments: [
        (#"{"role":"operator"}"#, true), (#"{"role":["editor","operator"]}"#, true), (#"{"role":"Operator"}"#, false),
        (#"{"role":"operator "}"#, false), (#"{"role":["editor"]}"#, false), (#"{"role":{"operator":true}}"#, false),
        (#"{"role":null}"#, false), (#"{"role":true}"#, false), (#"{"roles":"operator"}"#, false), ("{}", false),
        (#"{"role":"editor","role":"operator"}"#, false), ("[]", false), ("", false),
    ])
    func `a claim has to be the value, or a list with it`(_ claims: String, _ isSelected: Bool) throws {
        #expect(
            try selects("claim:role=operator", Principal(method: .token, id: "ada", claims: claims)) == isSelected)
    }

    @Test func `only a token has claims`() throws {
        for method in Principal.Method.allCases {
            let principal = Principal(method: method, id: "ada", claims: #"{"role":"operator"}"#)
            #expect(try selects("claim:role=operator", principal) == (method == .token), "\(method)")
        }
        let claims = #"{"https://app.example/role":"a=b"}"#
        #expect(
            try selects("claim:https://app.example/role=a=b", Principal(method: .token, id: "ada", claims: claims)))
    }
}
