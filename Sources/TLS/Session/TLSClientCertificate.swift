/// Who a client has proved to be.
public struct TLSClientCertificate: Hashable, Sendable {
    /// The subject as RFC 2253 writes it: `CN=Ada,O=Example`.
    public let subject: String
    /// The SHA-256 of the certificate in hexadecimal digits: `AB:CD:…`.
    public let fingerprint: String

    init(_ certificate: Certificate) {
        subject = certificate.subject
        fingerprint = TLSIdentity.text(certificate.fingerprint)
    }
}
