import COpenSSL

/// A certificate and the private key that belongs to it: what a server proves itself with.
public struct TLSIdentity: Sendable {
    /// The certificate and those of its issuers, the root left out, in PEM.
    public let certificates: [UInt8]
    /// The key in PEM.
    public let privateKey: [UInt8]
    /// The names of hosts that the certificate is for, in lower case, perhaps with a wildcard (`*.example.org`).
    public let hostNames: [String]
    /// The SHA-256 of the certificate in hexadecimal digits, as browsers show it: `AB:CD:…`.
    public let fingerprint: String

    /// Reads a certificate, and a key in a file of its own or the same. Throws where one of them cannot be read, the key
    /// belongs to another certificate, or the certificate's time is over.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(TLSError) {
        let chain = try Certificate.readAll(pem: certificates)
        let key = try PrivateKey.read(pem: privateKey)
        let leaf = chain[0]
        guard X509_check_private_key(leaf.pointer, key.pointer) == 1 else {
            ERR_clear_error()
            throw TLSError(
                .keyMismatch,
                "The private key was expected to belong to the certificate of \(leaf.subject), and does not.")
        }
        guard leaf.timeLeft > .zero else {
            throw TLSError(.certificate, "The certificate of \(leaf.subject) is no longer valid.")
        }
        self.certificates = certificates
        self.privateKey = privateKey
        hostNames = leaf.hostNames
        fingerprint = TLSIdentity.text(leaf.fingerprint)
    }

    /// How long the certificate is valid from now on.
    public var timeLeft: Duration {
        guard let chain = try? Certificate.readAll(pem: certificates) else { return .zero }
        return chain[0].timeLeft
    }

    /// An identity that nobody vouches for, made now, for development: valid for `hosts` (names, or addresses in numbers) and
    /// for 30 days. Clients have to be told to trust it, or to compare the fingerprint.
    public static func selfSigned(hosts: [String] = ["localhost", "127.0.0.1", "::1"]) throws(TLSError) -> TLSIdentity {
        guard let pointer = granary_generate_ec_key() else { throw .fromLibrary(.system, "There is no new key") }
        let key = PrivateKey(owning: pointer)
        let certificate = try SelfSigned.certificate(for: hosts, key: key)
        return try TLSIdentity(certificates: certificate.pem, privateKey: key.pem)
    }

    static func text(_ fingerprint: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        return fingerprint.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined(separator: ":")
    }
}
