import COpenSSL

extension KeySet {
    /// Creates the keys of a PEM file: public keys (`BEGIN PUBLIC KEY`) and certificates, in order.
    ///
    /// The keys have no ids, and are tried for all tokens of their issuer. The validity of a certificate is not checked: the
    /// operator vouches for its key.
    ///
    /// - Throws: If the file has another block, such as a private key, or no key.
    package init(pem: [UInt8]) throws(AccessConfigurationError) {
        guard let source = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else {
            throw AccessConfigurationError("A file of \(pem.count) bytes does not fit into memory.")
        }
        defer {
            BIO_free(source)
            ERR_clear_error()
        }
        var keys: [VerificationKey] = []
        ERR_clear_error()
        while keys.count <= KeySet.maxCount, let block = PEMBlock(source) {
            keys.append(try VerificationKey(id: nil, publicKey: try block.publicKey()))
        }
        // At the end of the file the library reports an error, too.
        guard keys.count > KeySet.maxCount || granary_is_end_of_pem(ERR_peek_last_error()) != 0 else {
            throw AccessConfigurationError("Block \(keys.count + 1) of the file cannot be parsed as PEM.")
        }
        guard !keys.isEmpty else {
            throw AccessConfigurationError("Expected a public key or a certificate in PEM format, got none.")
        }
        try self.init(keys)
    }
}

private struct PEMBlock {
    private let name: String
    private let bytes: [UInt8]

    /// Reads the next block. Returns nil at the end of the file.
    init?(_ source: OpaquePointer) {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(source, &name, &header, &data, &count) == 1, let name, let data else { return nil }
        defer {
            CRYPTO_free(name, nil, 0)
            CRYPTO_free(header, nil, 0)
            // The block may be a private key, put into the file by mistake.
            CRYPTO_clear_free(data, count, nil, 0)
        }
        self.name = String(cString: name)
        bytes = self.name.contains("PRIVATE") ? [] : Array(UnsafeBufferPointer(start: data, count: count))
    }

    func publicKey() throws(AccessConfigurationError) -> LibraryObject {
        let pointer = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var next = bytes.baseAddress
            switch name {
            case "PUBLIC KEY": return d2i_PUBKEY(nil, &next, bytes.count)
            case "CERTIFICATE":
                guard let certificate = d2i_X509(nil, &next, bytes.count) else { return nil }
                defer { X509_free(certificate) }
                return X509_get_pubkey(certificate)
            default: return nil
            }
        }
        guard let pointer else {
            throw AccessConfigurationError(
                "Expected blocks of PUBLIC KEY or CERTIFICATE, got a block of \(name) or one that cannot be parsed.")
        }
        return LibraryObject(pointer) { EVP_PKEY_free($0) }
    }
}
