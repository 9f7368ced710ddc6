import COpenSSL

/// The options of a TLS client.
public struct TLSTestOptions: Sendable {
    /// The server name to send (SNI), or `nil` for none.
    public var serverName: String? = "localhost"
    /// The protocols to offer (ALPN), in order of preference.
    public var protocols: [String] = []
    /// The trusted certificate of the server or of its issuer, in PEM. If it is `nil`, the client trusts every
    /// certificate.
    public var trust: [UInt8]?
    /// The client certificate and its private key, in PEM.
    public var certificate: (chain: [UInt8], privateKey: [UInt8])?

    /// Creates options with the protocols to offer.
    public init(protocols: [String] = []) {
        self.protocols = protocols
    }
}

/// The client side of a TLS connection, with in-memory input and output.
final class TLSTestSession {
    private let context: OpaquePointer
    private let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// Whether the server has sent `close_notify`.
    private(set) var hasEnded = false

    init(_ options: TLSTestOptions) throws {
        guard let context = SSL_CTX_new(TLS_client_method()), let session = SSL_new(context),
            let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem())
        else { throw HTTPTestError("could not allocate a TLS client") }
        (self.context, self.session, self.input, self.output) = (context, session, input, output)
        // The session owns both BIOs from here on.
        SSL_set_bio(session, input, output)
        SSL_set_connect_state(session)
        try apply(options)
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    private func apply(_ options: TLSTestOptions) throws {
        if let name = options.serverName { _ = granary_tls_set_server_name(session, name) }
        if !options.protocols.isEmpty {
            let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            SSL_set_alpn_protos(session, list, UInt32(list.count))
        }
        if let trust = options.trust {
            try withCertificate(trust) { X509_STORE_add_cert(SSL_CTX_get_cert_store(context), $0) }
            SSL_set_verify(session, SSL_VERIFY_PEER, nil)
            if let name = options.serverName { SSL_set1_host(session, name) }
        }
        if let (chain, privateKey) = options.certificate {
            try withCertificate(chain) { SSL_use_certificate(session, $0) }
            let memory = BIO_new_mem_buf(privateKey, Int32(privateKey.count))
            defer { BIO_free(memory) }
            guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else {
                throw HTTPTestError("expected a private key in PEM")
            }
            defer { EVP_PKEY_free(key) }
            SSL_use_PrivateKey(session, key)
        }
    }

    private func withCertificate(_ pem: [UInt8], _ body: (OpaquePointer) -> Int32) throws {
        let memory = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(memory) }
        guard let certificate = PEM_read_bio_X509(memory, nil, nil, nil) else {
            throw HTTPTestError("expected a certificate in PEM")
        }
        defer { X509_free(certificate) }
        guard body(certificate) == 1 else { throw HTTPTestError("could not use the certificate") }
    }

    /// Continues the handshake. Returns whether it is complete.
    func shakeHands() throws -> Bool {
        // `SSL_get_error` also considers errors of earlier calls on this thread.
        ERR_clear_error()
        let result = SSL_do_handshake(session)
        if result == 1 { return true }
        guard SSL_get_error(session, result) == SSL_ERROR_WANT_READ else { throw failure("the handshake failed") }
        return false
    }

    /// Processes bytes from the server and returns the decrypted content.
    func receive(_ bytes: [UInt8]) throws -> [UInt8] {
        if !bytes.isEmpty { BIO_write(input, bytes, Int32(bytes.count)) }
        guard SSL_is_init_finished(session) == 1 else { return [] }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            ERR_clear_error()
            let count = SSL_read(session, &buffer, Int32(buffer.count))
            if count > 0 {
                content += buffer[..<Int(count)]
                continue
            }
            switch SSL_get_error(session, count) {
            case SSL_ERROR_WANT_READ: return content
            case SSL_ERROR_ZERO_RETURN:
                hasEnded = true
                return content
            default: throw failure("could not decrypt the server's bytes")
            }
        }
    }

    func send(_ content: [UInt8]) throws {
        var count = 0
        guard content.isEmpty || SSL_write_ex(session, content, content.count, &count) == 1 else {
            throw failure("could not encrypt content")
        }
    }

    /// Updates the keys and requests the same from the server (RFC 8446 §4.6.3).
    func updateKeys() throws {
        guard SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED) == 1, SSL_do_handshake(session) == 1 else {
            throw failure("could not update the keys")
        }
    }

    /// Sends `close_notify`.
    func close() { _ = SSL_shutdown(session) }

    /// Returns the encrypted bytes to send to the server.
    func takeOutput() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = BIO_read(output, &buffer, Int32(buffer.count))
            guard count > 0 else { return all }
            all += buffer[..<Int(count)]
        }
    }

    /// The protocol that the server selected.
    var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The SHA-256 fingerprint of the server's certificate.
    var serverFingerprint: [UInt8] {
        guard let certificate = SSL_get1_peer_certificate(session) else { return [] }
        defer { X509_free(certificate) }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        X509_digest(certificate, EVP_sha256(), &digest, &count)
        return Array(digest.prefix(Int(count)))
    }

    private func failure(_ what: String) -> HTTPTestError {
        let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) }
        return HTTPTestError("\(what): \(reason ?? "unknown reason")")
    }
}
