import COpenSSL

/// The only owner of a certificate of the library.
final class Certificate {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }

    /// Parses all certificates of a PEM file, in order.
    static func readAll(pem: [UInt8]) throws(TLSError) -> [Certificate] {
        let source = try PEM.open(pem)
        defer { BIO_free(source) }
        var found: [Certificate] = []
        ERR_clear_error()
        while let pointer = PEM_read_bio_X509(source, nil, PEM.noPassword, nil) {
            found.append(Certificate(owning: pointer))
        }
        // At the end of the file the library reports an error, too.
        guard found.isEmpty || granary_is_end_of_pem(ERR_peek_last_error()) != 0 else {
            throw .fromLibrary(.certificate, "Certificate \(found.count + 1) of the file could not be parsed")
        }
        ERR_clear_error()
        guard !found.isEmpty else {
            throw TLSError(.certificate, "Expected a certificate in PEM format, got none.")
        }
        return found
    }

    /// The host names of the certificate, in lower case. The common name is not one of them (RFC 9525 §2).
    var hostNames: [String] {
        guard let names = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(names)
        defer { granary_names_free(list) }
        return (0..<granary_names_count(list)).compactMap { index in
            var length: Int32 = 0
            guard let bytes = granary_names_dns(list, index, &length) else { return nil }
            let text = UnsafeBufferPointer(start: bytes, count: Int(length))
            return String(decoding: text, as: UTF8.self).lowercased()
        }
    }

    /// The DNS names, URIs and email addresses of the certificate (RFC 5280 §4.2.1.6), in order and with their kinds:
    /// `DNS:ada.example`, `URI:spiffe://example/ada`, `email:ada@example`.
    var alternativeNames: [String] {
        guard let names = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(names)
        defer { granary_names_free(list) }
        return (0..<granary_names_count(list)).compactMap { index in
            var length: Int32 = 0
            var prefix: UnsafePointer<CChar>?
            guard let bytes = granary_names_text(list, index, &length, &prefix), let prefix else { return nil }
            let text = UnsafeBufferPointer(start: bytes, count: Int(length))
            // A NUL or a control character in a name is an attempt to be mistaken for another one.
            guard text.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            return String(cString: prefix) + String(decoding: text, as: UTF8.self)
        }
    }

    /// The subject in the form of RFC 2253: `CN=Ada,O=Example`.
    var subject: String {
        guard let memory = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(memory) }
        granary_print_name(memory, X509_get_subject_name(pointer))
        return String(decoding: PEM.contents(of: memory), as: UTF8.self)
    }

    /// The SHA-256 digest of the certificate.
    var fingerprint: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard X509_digest(pointer, EVP_sha256(), &digest, &count) == 1 else { return [] }
        return Array(digest.prefix(Int(count)))
    }

    /// The remaining time of validity; negative if the certificate has expired.
    var timeLeft: Duration {
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(pointer)) == 1 else { return .zero }
        return .seconds(Int64(days) * 86400 + Int64(seconds))
    }

    var pem: [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(memory) }
        PEM_write_bio_X509(memory, pointer)
        return PEM.contents(of: memory)
    }
}
