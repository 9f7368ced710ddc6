import COpenSSL
import TLS

/// A certificate authority for one test, which issues certificates that are valid for a day.
final class TestAuthority {
    enum KeyKind {
        case ecdsa
        case rsa(bits: UInt32)
    }

    /// A certificate and its key, in PEM.
    struct Issued {
        var certificate: [UInt8]
        var privateKey: [UInt8]

        func identity() throws -> TLSIdentity {
            try TLSIdentity(certificates: certificate, privateKey: privateKey)
        }
    }

    private let key: OpaquePointer
    private let certificate: OpaquePointer

    init(name: String = "Test authority") throws {
        key = try required(granary_generate_ec_key())
        certificate = try TestAuthority.make(
            subject: name, key: key, issuer: nil, issuerKey: key, seconds: 86400,
            extensions: [(NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign")])
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// The certificate of the authority.
    var pem: [UInt8] { TestAuthority.pem(certificate) }

    func issue(
        _ hosts: [String] = ["h.test"], otherNames: [String] = [], subject: String? = nil, key kind: KeyKind = .ecdsa,
        seconds: Int = 86400
    ) throws -> Issued {
        let leafKey: OpaquePointer
        switch kind {
        case .ecdsa: leafKey = try required(granary_generate_ec_key())
        case .rsa(let bits): leafKey = try required(granary_generate_rsa_key(bits))
        }
        defer { EVP_PKEY_free(leafKey) }
        let names = (hosts.map { "DNS:\($0)" } + otherNames).joined(separator: ",")
        let leaf = try TestAuthority.make(
            subject: subject ?? hosts.first ?? "nobody", key: leafKey, issuer: certificate, issuerKey: key,
            seconds: seconds,
            extensions: names.isEmpty ? [] : [(NID_subject_alt_name, names)])
        defer { X509_free(leaf) }
        return Issued(certificate: TestAuthority.pem(leaf), privateKey: TestAuthority.pem(key: leafKey))
    }

    private static func make(
        subject: String, key: OpaquePointer, issuer: OpaquePointer?, issuerKey: OpaquePointer, seconds: Int,
        extensions: [(Int32, String)]
    ) throws -> OpaquePointer {
        let certificate = try required(X509_new())
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), UInt64.random(in: 1...UInt64(Int64.max)))
        X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * 86400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), seconds)
        X509_set_pubkey(certificate, key)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "O", MBSTRING_UTF8, Array("Tests".utf8), 5, -1, 0)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, Array(subject.utf8), Int32(subject.utf8.count), -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer ?? certificate))
        for (kind, value) in extensions {
            guard granary_add_extension(certificate, issuer ?? certificate, kind, value) == 1 else {
                throw TestFailure("could not create the extension \(value)")
            }
        }
        guard X509_sign(certificate, issuerKey, EVP_sha256()) > 0 else {
            throw TestFailure("could not sign the certificate")
        }
        return certificate
    }

    private static func pem(_ certificate: OpaquePointer) -> [UInt8] {
        write { PEM_write_bio_X509($0, certificate) }
    }

    static func pem(key: OpaquePointer, password: String? = nil) -> [UInt8] {
        write { memory in
            guard let password else { return PEM_write_bio_PrivateKey(memory, key, nil, nil, 0, nil, nil) }
            let bytes = Array(password.utf8)
            return PEM_write_bio_PrivateKey(memory, key, EVP_aes_256_cbc(), bytes, Int32(bytes.count), nil, nil)
        }
    }

    private static func write(_ body: (OpaquePointer?) -> Int32) -> [UInt8] {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        guard body(memory) == 1 else { return [] }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = granary_bio_contents(memory, &bytes)
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

struct TestFailure: Error {
    var text: String

    init(_ text: String) { self.text = text }
}

/// Returns a pointer from the library, or throws if it is null.
func required(_ pointer: OpaquePointer?) throws -> OpaquePointer {
    guard let pointer else { throw TestFailure("expected a pointer from the library, got null") }
    return pointer
}
