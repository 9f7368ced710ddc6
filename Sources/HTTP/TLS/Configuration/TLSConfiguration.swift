/// The TLS settings of a server. Everything else is fixed: modern ciphers with forward secrecy, no renegotiation, no
/// compression and no early data.
public struct TLSConfiguration: Sendable {
    /// A version of the protocol.
    public enum Version: Hashable, Comparable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case v12
        /// TLS 1.3 (RFC 8446).
        case v13
    }

    /// The policy for client certificates.
    public enum ClientCertificates: Sendable {
        /// No certificate is requested from clients.
        case none
        /// A certificate is requested from clients. If they present one, it must be issued by these issuers (in PEM);
        /// otherwise the handshake fails.
        case optional(issuers: [UInt8])
        /// Clients without a certificate are rejected.
        case required(issuers: [UInt8])
    }

    /// The identities of the server. A requested name is served with the identities that contain it, for example an
    /// ECDSA and an RSA certificate. The first identity, and those with the same names, also serve clients that request
    /// another name or none.
    public var identities: [TLSIdentity]
    /// The oldest accepted version.
    public var minimumVersion = Version.v12
    /// The newest accepted version.
    public var maximumVersion = Version.v13
    /// The application protocols, in order of preference (ALPN, RFC 7301). A client that offers only other protocols is
    /// rejected; one that offers none is accepted.
    public var protocols = ["h2", "http/1.1"]
    /// The policy for client certificates.
    public var clientCertificates = ClientCertificates.none

    /// Creates a configuration with these identities and the defaults for everything else.
    public init(identities: [TLSIdentity]) {
        self.identities = identities
    }

    /// Mozilla's intermediate profile without the ciphers that need Diffie-Hellman parameters, and the TLS 1.3 suites;
    /// in order of preference.
    static let ciphers =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
        + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
    static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    static let groups = "X25519:P-256:P-384"
}
