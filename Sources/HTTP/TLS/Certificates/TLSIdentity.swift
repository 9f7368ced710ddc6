import COpenSSL

/// A certificate and its private key, with which a server authenticates.
public struct TLSIdentity: Sendable {
    /// The certificate and its issuers, without the root, in PEM.
    public let certificates: [UInt8]
    /// The private key in PEM.
    public let privateKey: [UInt8]
    /// The host names of the certificate, in lower case, possibly with a wildcard (`*.example.org`).
    public let hostNames: [String]
    /// The SHA-256 digest of the certificate in hexadecimal digits, as browsers show it: `AB:CD:…`.
    public let fingerprint: String

    /// Creates an identity from a certificate chain and a key, which may be in the same file. Throws if one of them
    /// cannot be parsed, the key does not match the certificate, or the certificate has expired.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(TLSError) {
        let chain = try Certificate.readAll(pem: certificates)
        let key = try PrivateKey.read(pem: privateKey)
        let leaf = chain[0]
        guard X509_check_private_key(leaf.pointer, key.pointer) == 1 else {
            ERR_clear_error()
            throw TLSError(
                .keyMismatch,
                "Expected the private key of the certificate of \(leaf.subject), got another key.")
        }
        guard leaf.timeLeft > .zero else {
            throw TLSError(.certificate, "The certificate of \(leaf.subject) has expired.")
        }
        self.certificates = certificates
        self.privateKey = privateKey
        hostNames = leaf.hostNames
        fingerprint = TLSIdentity.text(leaf.fingerprint)
    }

    /// Creates a self-signed identity for development. It is valid for `hosts` (names or numeric addresses) and for 30
    /// days. Clients have to be configured to trust it, or compare its fingerprint.
    public static func selfSigned(hosts: [String] = ["localhost", "127.0.0.1", "::1"]) throws(TLSError) -> TLSIdentity {
        guard let pointer = granary_generate_ec_key() else { throw .fromLibrary(.system, "No key could be generated") }
        let key = PrivateKey(owning: pointer)
        let certificate = try SelfSigned.certificate(for: hosts, key: key)
        return try TLSIdentity(certificates: certificate.pem, privateKey: key.pem)
    }

    static func text(_ fingerprint: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return fingerprint.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }
}
