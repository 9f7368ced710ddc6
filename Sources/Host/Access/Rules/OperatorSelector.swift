/// A description of principals who are operators: `apiKey:prometheus`, `certificate:scraper.example`, `proxy:ada` or
/// `claim:role=operator`.
package struct OperatorSelector: Sendable, Equatable {
    private enum Criterion: Equatable {
        case id(String)
        case claim(TokenIssuer.RequiredClaim)
    }

    /// The valid forms of the text, for messages.
    package static let expectation = "apiKey:NAME, certificate:ID, proxy:USER and claim:NAME=VALUE"
    private static let methods: [Substring: Principal.Method] = [
        "apiKey": .apiKey, "certificate": .certificate, "proxy": .proxy, "claim": .token,
    ]

    /// The method by which the principals are authenticated.
    ///
    /// Neither the cookie, which every browser gets, nor a closure of the program, which knows the users of its machines,
    /// identifies operators.
    package let method: Principal.Method
    private let criterion: Criterion

    /// Parses a text; nil if it has another form. A subject of tokens is not enough, because it is unique only for its issuer.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), let method = OperatorSelector.methods[text[..<colon]] else {
            return nil
        }
        let rest = text[text.index(after: colon)...]
        self.method = method
        guard method == .token else {
            guard !rest.isEmpty else { return nil }
            criterion = .id(String(rest))
            return
        }
        guard let equals = rest.firstIndex(of: "=") else { return nil }
        let (name, value) = (String(rest[..<equals]), String(rest[rest.index(after: equals)...]))
        guard !name.isEmpty, !value.isEmpty else { return nil }
        criterion = .claim(TokenIssuer.RequiredClaim(name: name, values: [value]))
    }

    /// Returns whether a principal is one of them. A claim has to be the value, or an array that contains it.
    package func selects(_ principal: Principal) -> Bool {
        guard principal.method == method else { return false }
        switch criterion {
        // Not `==` of strings, which regards different bytes as the same text.
        case .id(let id): return principal.id.utf8.elementsEqual(id.utf8)
        case .claim(let claim):
            guard let members = try? UniqueObject(Array(principal.claims.utf8)) else { return false }
            return TokenClaims(members).satisfy(claim)
        }
    }
}
