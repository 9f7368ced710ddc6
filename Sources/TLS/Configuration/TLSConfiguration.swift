/// How a server speaks TLS. What is not configured is not negotiable: modern ciphers with forward secrecy, no
/// renegotiation, no compression, no early data.
public struct TLSConfiguration: Sendable {
    /// A version of the protocol.
    public enum Version: Hashable, Comparable, Sendable {
        /// TLS 1.2 (RFC 5246).
        case v12
        /// TLS 1.3 (RFC 8446).
        case v13
    }

    /// Whether clients show certificates of their own.
    public enum ClientCertificates: Sendable {
        /// They are not asked for one.
        case none
        /// They are asked; one that is shown has to be issued by these (in PEM), or the handshake fails.
        case optional(issuers: [UInt8])
        /// Those without one are turned away.
        case required(issuers: [UInt8])
    }

    /// What the server proves itself with. Each name is served with those that hold it, an ECDSA and an RSA certificate
    /// side by side; the first (and those of the same names) also serve clients that ask for another name or for none.
    public var identities: [TLSIdentity]
    /// The oldest version that is spoken.
    public var minimumVersion = Version.v12
    /// The newest version that is spoken.
    public var maximumVersion = Version.v13
    /// The protocols above, best first (ALPN, RFC 7301). A client that offers others only is turned away; one that offers
    /// none is served.
    public var protocols = ["h2", "http/1.1"]
    /// Whether clients show certificates.
    public var clientCertificates = ClientCertificates.none

    /// A server with these identities, and the defaults for all else.
    public init(identities: [TLSIdentity]) {
        self.identities = identities
    }

    /// Mozilla's intermediate profile without the ciphers that need parameters for Diffie-Hellman, and those of TLS 1.3, best
    /// first.
    static let ciphers =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
        + "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
    static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    static let groups = "X25519:P-256:P-384"
}
