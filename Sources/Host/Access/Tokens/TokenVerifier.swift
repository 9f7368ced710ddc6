/// Verifies JSON Web Tokens (RFC 7519, RFC 8725) of the configured issuers. A value without I/O.
package struct TokenVerifier: Sendable {
    package private(set) var issuers: [String: TokenIssuer]
    /// The difference between the clocks of an issuer and the server that is accepted.
    package var skew = Duration.seconds(30)
    /// The maximum number of bytes of a token.
    package var longest = 8192

    /// Creates a verifier.
    ///
    /// - Throws: If two issuers have the same name.
    package init(_ issuers: [TokenIssuer]) throws(AccessConfigurationError) {
        self.issuers = [:]
        for issuer in issuers {
            guard self.issuers.updateValue(issuer, forKey: issuer.name) == nil else {
                throw AccessConfigurationError("Expected each issuer once, got \(issuer.name) twice.")
            }
        }
    }

    /// Verifies a token and returns whom it identifies. With the allowed skew, the principal expires when the token is no longer
    /// accepted, so that streams do not end earlier.
    ///
    /// Costs a signature check: 30 to 100 µs. ``CredentialCache`` remembers the result.
    package func verify(_ text: UnsafeRawBufferPointer, at now: UnixTime) throws(CredentialRejection) -> Principal {
        guard text.count <= longest else { throw .malformed("a token of at most \(longest) bytes") }
        let token = try SignedToken(text)
        // The issuer and the key are chosen by what the token claims. Nothing else of it is used before the signature is
        // verified, so a forged token learns nothing about times and audiences.
        let claims = try SignedToken.object(token.content)
        guard let name = claims.string("iss"), let issuer = issuer(named: name) else { throw .unknownIssuer }
        guard issuer.algorithms.contains(token.algorithm) else { throw .algorithm }
        let keys = issuer.keys?.candidates(id: token.keyID, algorithm: token.algorithm) ?? []
        guard !keys.isEmpty else { throw .unknownKey(issuer: issuer.name) }
        let message = UnsafeRawBufferPointer(rebasing: text.prefix(token.signedCount))
        guard let key = keys.first(where: { $0.isValid(token.signature, of: message, token.algorithm) }) else {
            throw .signature
        }
        return try verified(token, TokenClaims(claims), of: issuer, key.credentialKey(of: issuer), at: now)
    }

    private func issuer(named name: String) -> TokenIssuer? {
        // A dictionary of strings finds other spellings of the same characters, too.
        guard let issuer = issuers[name], issuer.name.utf8.elementsEqual(name.utf8) else { return nil }
        return issuer
    }

    private func verified(
        _ token: SignedToken, _ claims: TokenClaims, of issuer: TokenIssuer, _ key: CredentialKey, at now: UnixTime
    ) throws(CredentialRejection) -> Principal {
        if !issuer.types.isEmpty {
            guard let type = token.type, issuer.types.contains(type) else { throw .tokenType }
        }
        let expiry = try claims.time("exp")
        guard expiry != nil || !issuer.requiresExpiry else { throw .claim("exp") }
        let end = expiry.map { $0 + skew }
        guard now < end ?? .never else { throw .expired }
        for name in ["nbf", "iat"] {
            if let start = try claims.time(name), now + skew < start { throw .notYetValid }
        }
        guard try claims.isFor(issuer.audiences) else { throw .audience }
        for claim in issuer.requiredClaims {
            guard claims.satisfy(claim) else { throw .claim(claim.name) }
        }
        return Principal(
            method: .token, issuer: issuer.name, id: try claims.id(issuer.idClaim),
            claims: String(decoding: token.content, as: UTF8.self), expires: end, key: key)
    }
}
