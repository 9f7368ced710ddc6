/// The verified identity of a client.
public struct TLSClientCertificate: Hashable, Sendable {
    /// The subject in the form of RFC 2253: `CN=Ada,O=Example`.
    public let subject: String
    /// The SHA-256 digest of the certificate in hexadecimal digits: `AB:CD:…`.
    public let fingerprint: String

    init(_ certificate: Certificate) {
        subject = certificate.subject
        fingerprint = TLSIdentity.text(certificate.fingerprint)
    }
}
