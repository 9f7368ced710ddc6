import COpenSSL

enum SelfSigned {
    private static let days = 30
    /// The time by which the validity starts early, in seconds, for clients whose clocks are slow.
    private static let headStart = 3600

    static func certificate(for hosts: [String], key: PrivateKey) throws(TLSError) -> Certificate {
        guard let host = hosts.first else {
            throw TLSError(.configuration, "Expected at least one host for the certificate, got none.")
        }
        guard let pointer = X509_new() else { throw .fromLibrary(.system, "A certificate could not be created") }
        let certificate = Certificate(owning: pointer)
        var serial: UInt64 = 0
        withUnsafeMutableBytes(of: &serial) { _ = RAND_bytes($0.bindMemory(to: UInt8.self).baseAddress, 8) }
        // Version 3 is encoded as 2. The serial number is shifted because it has to be positive.
        let isFilledIn =
            X509_set_version(pointer, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), serial >> 1) == 1
            && X509_gmtime_adj(X509_getm_notBefore(pointer), -headStart) != nil
            && X509_gmtime_adj(X509_getm_notAfter(pointer), days * 86400) != nil
            && X509_set_pubkey(pointer, key.pointer) == 1
            && setName(of: pointer, host)
            && extensions(for: hosts).allSatisfy { granary_add_extension(pointer, pointer, $0.kind, $0.value) == 1 }
        guard isFilledIn, X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else {
            throw .fromLibrary(.certificate, "A certificate could not be created for \(hosts.joined(separator: ", "))")
        }
        return certificate
    }

    private static func setName(of certificate: OpaquePointer, _ host: String) -> Bool {
        let name = X509_get_subject_name(certificate)
        let isSet = X509_NAME_add_entry_by_txt(
            name, "CN", MBSTRING_UTF8, Array(host.utf8), Int32(host.utf8.count), -1, 0)
        return isSet == 1 && X509_set_issuer_name(certificate, name) == 1
    }

    private static func extensions(for hosts: [String]) -> [(kind: Int32, value: String)] {
        let names = hosts.map { isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        return [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth,clientAuth"), (NID_subject_alt_name, names),
        ]
    }

    private static func isAddress(_ host: String) -> Bool {
        guard let address = a2i_IPADDRESS(host) else { return false }
        ASN1_OCTET_STRING_free(address)
        return true
    }
}
