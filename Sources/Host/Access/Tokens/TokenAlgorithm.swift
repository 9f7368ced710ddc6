/// An algorithm with which tokens are signed (RFC 7518 §3.1, RFC 8037 §3.1).
package enum TokenAlgorithm: String, CaseIterable, Sendable {
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
    case edDSA = "EdDSA"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// HMAC with SHA-256.
    case hs256 = "HS256"

    /// The only kind of key that the algorithm is used with.
    ///
    /// A token names its algorithm, and its key is found independently. If they were not compared, a public RSA key would
    /// verify as the secret of an HMAC (RFC 8725 §2.1).
    package var keyKind: VerificationKey.Kind {
        switch self {
        case .es256: .p256
        case .edDSA: .ed25519
        case .rs256, .ps256: .rsa
        case .hs256: .secret
        }
    }
}
