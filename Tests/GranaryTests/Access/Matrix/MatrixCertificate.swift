import COpenSSL
import HTTPServerTesting
import TLS

/// The certificate of a client, which is its own issuer.
struct MatrixCertificate: Sendable {
    let chain: [UInt8]
    let privateKey: [UInt8]

    /// Creates a certificate that is valid now.
    init(_ name: String) throws {
        let identity = try TLSIdentity.selfSigned(hosts: ["\(name).test"])
        (chain, privateKey) = (identity.certificates, identity.privateKey)
    }

    private init(chain: [UInt8], privateKey: [UInt8]) {
        (self.chain, self.privateKey) = (chain, privateKey)
    }

    /// Returns the same certificate with the same key, but with an end that passed a minute ago.
    func expired() throws -> MatrixCertificate {
        let input = BIO_new_mem_buf(chain, Int32(chain.count))
        defer { BIO_free(input) }
        let keyInput = BIO_new_mem_buf(privateKey, Int32(privateKey.count))
        defer { BIO_free(keyInput) }
        guard let certificate = PEM_read_bio_X509(input, nil, nil, nil) else {
            throw HTTPTestError("expected a certificate in PEM")
        }
        defer { X509_free(certificate) }
        guard let key = PEM_read_bio_PrivateKey(keyInput, nil, nil, nil) else {
            throw HTTPTestError("expected a private key in PEM")
        }
        defer { EVP_PKEY_free(key) }
        let output = BIO_new(BIO_s_mem())
        defer { BIO_free(output) }
        guard X509_gmtime_adj(X509_getm_notAfter(certificate), -60) != nil,
            X509_sign(certificate, key, EVP_sha256()) > 0, PEM_write_bio_X509(output, certificate) == 1
        else { throw HTTPTestError("could not sign the certificate again") }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = granary_bio_contents(output, &bytes)
        return MatrixCertificate(
            chain: Array(UnsafeRawBufferPointer(start: bytes, count: count)), privateKey: privateKey)
    }
}
