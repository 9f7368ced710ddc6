/// The verified identity of a client.
public struct TLSClientCertificate: Hashable, Sendable {
    /// The subject in the form of RFC 2253: `CN=Ada,O=Example`.
    public let subject: String
    /// The DNS names, URIs and email addresses of the certificate, in order and with their kinds: `DNS:ada.example`,
    /// `URI:spiffe://example/ada`, `email:ada@example`.
    public let alternativeNames: [String]
    /// The SHA-256 digest of the certificate in hexadecimal digits: `AB:CD:…`.
    public let fingerprint: String

    init(_ certificate: Certificate) {
        subject = certificate.subject
        alternativeNames = certificate.alternativeNames
        fingerprint = TLSIdentity.text(certificate.fingerprint)
    }
}
