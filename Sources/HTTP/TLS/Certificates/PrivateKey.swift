import COpenSSL

/// The only owner of a private key of the library, which erases it when it is freed.
final class PrivateKey {
    /// The minimum size of an RSA key in bits (NIST SP 800-57).
    private static let leastRSABits = 2048

    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    static func read(pem: [UInt8]) throws(TLSError) -> PrivateKey {
        let source = try PEM.open(pem)
        defer { BIO_free(source) }
        ERR_clear_error()
        guard let pointer = PEM_read_bio_PrivateKey(source, nil, PEM.noPassword, nil) else {
            throw .fromLibrary(.privateKey, "Expected a private key in PEM format without a password")
        }
        let key = PrivateKey(owning: pointer)
        if EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA, Int(EVP_PKEY_get_bits(pointer)) < leastRSABits {
            throw TLSError(
                .privateKey,
                "Expected an RSA key of at least \(leastRSABits) bits, got \(EVP_PKEY_get_bits(pointer)) bits.")
        }
        return key
    }

    var pem: [UInt8] {
        guard let memory = BIO_new(BIO_s_mem()) else { return [] }
        defer { BIO_free(memory) }
        PEM_write_bio_PrivateKey(memory, pointer, nil, nil, 0, nil, nil)
        return PEM.contents(of: memory)
    }
}

/// PEM text in the library's memory.
enum PEM {
    /// The password callback for encrypted files. It fails, because the default callback would prompt on the terminal.
    static let noPassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
            { _, _, _, _ in -1 }

    static func open(_ bytes: [UInt8]) throws(TLSError) -> OpaquePointer {
        guard let memory = BIO_new(BIO_s_mem()) else { throw .fromLibrary(.system, "A file could not be read") }
        guard bytes.isEmpty || BIO_write(memory, bytes, Int32(clamping: bytes.count)) == bytes.count else {
            BIO_free(memory)
            throw .fromLibrary(.system, "A file of \(bytes.count) bytes does not fit into memory")
        }
        return memory
    }

    static func contents(of memory: OpaquePointer) -> [UInt8] {
        var bytes: UnsafeMutablePointer<CChar>?
        let count = granary_bio_contents(memory, &bytes)
        guard let bytes, count > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
