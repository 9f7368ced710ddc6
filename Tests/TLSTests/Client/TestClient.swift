import COpenSSL
import TLS

/// A TLS client in memory that uses the library directly, and the server side of its connection.
final class TestClient {
    /// The options of a client that a test can change.
    struct Options {
        var serverName: String? = "h.test"
        var protocols: [String] = []
        var least = TLS1_2_VERSION
        var most = TLS1_3_VERSION
        var ciphers: String?
        /// The cipher suites of TLS 1.3, in order of preference.
        var suites: String?
        var certificate: TestAuthority.Issued?
        var trusts: [UInt8]?
        var session: OpaquePointer?
    }

    enum State: Equatable {
        case waiting
        case open
        case closed
        case failed(String)
    }

    let server: TLSConnection
    private(set) var state = State.waiting
    /// The content that the client has received.
    private(set) var content: [UInt8] = []
    /// The content that the server has received.
    private(set) var received: [UInt8] = []
    private(set) var serverError: TLSError?
    /// The number of received tickets.
    private(set) var ticketCount = 0

    private let context: OpaquePointer
    private let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer

    init(_ serverContext: TLSContext, _ options: Options = Options()) throws {
        server = TLSConnection(serverContext)
        context = try required(SSL_CTX_new(TLS_client_method()))
        SSL_CTX_set_security_level(context, 0)
        _ = granary_tls_set_versions(context, options.least, options.most)
        if let suites = options.suites { SSL_CTX_set_ciphersuites(context, suites) }
        if let ciphers = options.ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
        try TestClient.prepare(context, options)
        session = try required(SSL_new(context))
        if let name = options.serverName { _ = granary_tls_set_server_name(session, name) }
        if let name = options.serverName, options.trusts != nil { SSL_set1_host(session, name) }
        if !options.protocols.isEmpty {
            let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            SSL_set_alpn_protos(session, list, UInt32(list.count))
        }
        if let known = options.session { SSL_set_session(session, known) }
        input = try required(BIO_new(BIO_s_mem()))
        output = try required(BIO_new(BIO_s_mem()))
        SSL_set_bio(session, input, output)
        SSL_set_connect_state(session)
        countTickets()
    }

    private func countTickets() {
        SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_CLIENT), nil)
        SSL_set_ex_data(session, 0, Unmanaged.passUnretained(self).toOpaque())
        SSL_CTX_sess_set_new_cb(context) { session, _ in
            guard let client = SSL_get_ex_data(session, 0) else { return 0 }
            Unmanaged<TestClient>.fromOpaque(client).takeUnretainedValue().ticketCount += 1
            return 0
        }
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    private static func prepare(_ context: OpaquePointer, _ options: Options) throws {
        if let trusts = options.trusts {
            let memory = BIO_new_mem_buf(trusts, Int32(trusts.count))
            defer { BIO_free(memory) }
            let issuer = try required(PEM_read_bio_X509(memory, nil, nil, nil))
            defer { X509_free(issuer) }
            X509_STORE_add_cert(SSL_CTX_get_cert_store(context), issuer)
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        }
        if let certificate = options.certificate {
            let memory = BIO_new_mem_buf(certificate.certificate, Int32(certificate.certificate.count))
            defer { BIO_free(memory) }
            let leaf = try required(PEM_read_bio_X509(memory, nil, nil, nil))
            defer { X509_free(leaf) }
            let keyMemory = BIO_new_mem_buf(certificate.privateKey, Int32(certificate.privateKey.count))
            defer { BIO_free(keyMemory) }
            let key = try required(PEM_read_bio_PrivateKey(keyMemory, nil, nil, nil))
            defer { EVP_PKEY_free(key) }
            SSL_CTX_use_certificate(context, leaf)
            SSL_CTX_use_PrivateKey(context, key)
        }
    }

    // Exchanging bytes

    /// Transfers bytes in both directions, in pieces of a size, until neither side has output.
    @discardableResult
    func exchange(pieces size: Int = 16 << 10) -> State {
        while true {
            advance()
            let fromClient = takeOutput()
            var rest = fromClient[...]
            while !rest.isEmpty, serverError == nil {
                feedServer(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            var fromServer: [UInt8] = []
            server.takeOutput(into: &fromServer)
            if !fromServer.isEmpty { BIO_write(input, fromServer, Int32(fromServer.count)) }
            if fromClient.isEmpty && fromServer.isEmpty { return state }
        }
    }

    /// Passes arbitrary bytes to the server.
    func feedServer(_ bytes: [UInt8]) {
        let room = bytes.count + TLSConnection.recordRoom
        var buffer = [UInt8](repeating: 0, count: room)
        let result = bytes.withUnsafeBytes { bytes in
            buffer.withUnsafeMutableBytes { content in
                Result { () throws(TLSError) in try server.read(bytes, into: content) }
            }
        }
        switch result {
        case .success(let count): received += buffer[..<count]
        case .failure(let error): serverError = error
        }
    }

    func write(_ bytes: [UInt8]) {
        var count = 0
        _ = SSL_write_ex(session, bytes, bytes.count, &count)
    }

    func close() { SSL_shutdown(session) }

    /// Requests a renegotiation, which only TLS 1.2 supports.
    func renegotiate() -> Int32 { SSL_renegotiate(session) }

    /// Updates the keys of TLS 1.3, and requests the same from the server.
    func changeKeys() {
        SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(session)
    }

    /// Sends content from the server.
    func serverSend(_ bytes: [UInt8]) throws {
        var output: [UInt8] = []
        try bytes.withUnsafeBytes { try server.write($0, into: &output) }
        BIO_write(input, output, Int32(output.count))
    }

    /// Returns the pending output of the client.
    func takeOutput() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var all: [UInt8] = []
        while true {
            let count = BIO_read(output, &buffer, Int32(buffer.count))
            guard count > 0 else { return all }
            all += buffer[..<Int(count)]
        }
    }

    func advance() {
        ERR_clear_error()
        if state == .waiting { settle(SSL_do_handshake(session)) { state = .open } }
        guard state == .open else { return }
        var buffer = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = SSL_read(session, &buffer, Int32(buffer.count))
            guard count > 0 else { return settle(count) {} }
            content += buffer[..<Int(count)]
        }
    }

    private func settle(_ result: Int32, _ success: () -> Void) {
        if result == 1 { return success() }
        switch SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        case SSL_ERROR_ZERO_RETURN: state = .closed
        default: state = .failed(ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "?")
        }
    }

    // The client's view of the connection

    var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// Returns the session for resumption. The caller must free it.
    func takeSession() throws -> OpaquePointer { try required(SSL_get1_session(session)) }

    /// The ticket that the client would send to resume.
    var ticket: [UInt8] {
        get throws {
            let session = try takeSession()
            defer { SSL_SESSION_free(session) }
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            SSL_SESSION_get0_ticket(session, &bytes, &count)
            return Array(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    var serverFingerprint: String {
        guard let certificate = SSL_get1_peer_certificate(session) else { return "" }
        defer { X509_free(certificate) }
        var digest = [UInt8](repeating: 0, count: 64)
        var count: UInt32 = 0
        X509_digest(certificate, EVP_sha256(), &digest, &count)
        let digits = digest.prefix(Int(count)).map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0" + text : text
        }
        return digits.joined(separator: ":")
    }
}
