/// A configured issuer of JSON Web Tokens (RFC 7519), with its own keys, algorithms and audiences.
package struct TokenIssuer: Sendable {
    package struct RequiredClaim: Sendable, Equatable {
        /// The name of the claim.
        package var name: String
        /// The permitted values; if empty, every value is permitted. The claim has to be one of these strings, or an array
        /// that contains one of them.
        package var values: Set<String>

        package init(name: String, values: Set<String> = []) {
            self.name = name
            self.values = values
        }
    }

    /// The issuer, compared with the claim `iss` byte by byte.
    package let name: String
    /// The audiences of this server. A token needs one of them in its claim `aud`; if there are none, a token must not have
    /// the claim.
    package let audiences: Set<String>
    /// The algorithms that the issuer uses.
    package let algorithms: Set<TokenAlgorithm>
    /// The keys of the issuer; nil until they have been fetched.
    package var keys: KeySet?
    /// The claim that identifies the principal.
    package var idClaim = "sub"
    package var requiredClaims: [RequiredClaim] = []
    /// The permitted types (`typ`), in lower case; if empty, every type is permitted.
    package private(set) var types: Set<String> = []
    /// Whether tokens need an expiry (`exp`).
    package var requiresExpiry = true

    /// Creates an issuer.
    ///
    /// - Throws: If the name is empty, or there are no algorithms, or no key is for one of the algorithms.
    package init(
        name: String, audiences: Set<String>, algorithms: Set<TokenAlgorithm>, keys: KeySet?, types: Set<String> = []
    ) throws(AccessConfigurationError) {
        guard !name.isEmpty else {
            throw AccessConfigurationError("Expected the name of an issuer, got an empty text.")
        }
        guard !algorithms.isEmpty else {
            throw AccessConfigurationError("Expected at least one algorithm of the issuer \(name), got none.")
        }
        self.name = name
        self.audiences = audiences
        self.algorithms = algorithms
        self.keys = keys
        self.types = Set(types.map(SignedToken.type))
        if let keys, !keys.keys.contains(where: { key in algorithms.contains { key.accepts($0) } }) {
            let names = algorithms.map(\.rawValue).sorted().joined(separator: ", ")
            throw AccessConfigurationError(
                "Expected a key of the issuer \(name) for \(names), got keys for other algorithms.")
        }
    }
}
