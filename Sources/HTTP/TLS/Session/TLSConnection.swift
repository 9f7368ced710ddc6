import COpenSSL

/// One side of a TLS connection without I/O: bytes from the socket become content, and content becomes bytes
/// for the socket. Confined to one thread.
///
/// It holds no buffers while it is idle. After an error it cannot be used any more, but ``takeOutput(into:)`` still
/// returns the alert for the peer.
public final class TLSConnection {
    /// The phase of a connection.
    public enum State: Hashable, Sendable {
        /// The handshake is in progress.
        case handshaking
        /// Content can be read and written.
        case open
        /// The peer has sent `close_notify`.
        case peerClosed
        /// The connection has failed.
        case failed
    }

    /// The space that content may need in addition to the received bytes: one record, of which a part was received
    /// earlier.
    public static let recordRoom = 16 << 10

    private var allowance = RecordAllowance()

    /// The phase of the connection.
    @exclusivity(unchecked) public private(set) var state = State.handshaking

    // Kept alive: its callbacks run while the connection exists.
    private let context: AnyObject
    private let session: OpaquePointer
    // Exclusivity checks are off: the object is confined to one thread, and the library's callbacks run only inside
    // calls to it. The checks would cost a measurable part of each request.
    @exclusivity(unchecked) private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    @exclusivity(unchecked) private var outgoing: [UInt8] = []
    @exclusivity(unchecked) private var hasClosed = false

    /// Creates the server's side of a connection that has received nothing yet.
    public convenience init(_ context: TLSContext) {
        self.init(context, context.initial, context.transport)
        SSL_set_accept_state(session)
    }

    /// Creates the client's side of a connection, and begins the handshake: there is output.
    ///
    /// With TLS 1.3, the connection is open before the server has verified the client's certificate. If it rejects it,
    /// reading fails.
    ///
    /// - Parameters:
    ///   - context: The settings.
    ///   - name: The host name or the numeric address for which the server's certificate must be.
    /// - Throws: An error if the name is invalid.
    public convenience init(_ context: TLSClientContext, to name: String) throws(TLSError) {
        // The library would not verify an empty name, and only the part before a zero.
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw TLSError(.configuration, "Expected the name of the server, got an empty or invalid one.")
        }
        self.init(context, context.pointer, context.transport)
        SSL_set_connect_state(session)
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), name) != 1 {
            SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(session, name) == 1, granary_tls_set_server_name(session, name) == 1 else {
                throw .fromLibrary(.configuration, "The name of the server could not be used")
            }
        }
        _ = try shakeHands()
    }

    private init(_ context: AnyObject, _ pointer: OpaquePointer, _ method: OpaquePointer) {
        self.context = context
        guard let session = SSL_new(pointer), let transport = BIO_new(method) else {
            preconditionFailure("memory is exhausted: no TLS connection")
        }
        self.session = session
        BIO_set_data(transport, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_bio(session, transport, transport)
    }

    deinit {
        SSL_free(session)
    }

    // Reading

    /// Processes bytes from the socket and continues the handshake.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - content: Receives the decrypted content. It must have room for as many bytes as `bytes` and ``recordRoom``
    ///     more.
    /// - Returns: The number of content bytes.
    /// - Throws: An error if the peer violates the protocol. There may be output for the peer even then.
    public func read(
        _ bytes: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer
    ) throws(TLSError) -> Int {
        precondition(content.count >= bytes.count + TLSConnection.recordRoom, "content may have no room")
        guard state == .handshaking || state == .open else { return 0 }
        incoming = bytes
        defer { incoming = UnsafeRawBufferPointer(start: nil, count: 0) }
        // The handshake is limited by a timeout and by the library.
        if state == .handshaking { return try shakeHands() ? try readContent(into: content) : 0 }
        let count = try readContent(into: content)
        guard allowance.take(received: bytes.count, content: count) else {
            state = .failed
            throw TLSError(.record, "The peer sent too many bytes without content.")
        }
        return count
    }

    private func shakeHands() throws(TLSError) -> Bool {
        forgetErrors()
        let result = SSL_do_handshake(session)
        if result == 1 {
            state = .open
            return true
        }
        guard SSL_get_error(session, result) != SSL_ERROR_WANT_READ else { return false }
        state = .failed
        let verification = SSL_get_verify_result(session)
        if SSL_is_server(session) == 0, verification != Int(X509_V_OK) {
            let reason = X509_verify_cert_error_string(verification).map { String(cString: $0) } ?? "unknown"
            ERR_clear_error()
            throw TLSError(.handshake, "Expected a valid certificate of the server, got one with an error: \(reason).")
        }
        throw .fromLibrary(.handshake, "The handshake failed")
    }

    private func readContent(into content: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
        var total = 0
        while total < content.count {
            forgetErrors()
            var count = 0
            let room = UnsafeMutableRawBufferPointer(rebasing: content[total...])
            let result = SSL_read_ex(session, room.baseAddress, room.count, &count)
            total += count
            if result == 1 {
                // Without pending bytes, another call would only return WANT_READ.
                if incoming.isEmpty, SSL_has_pending(session) == 0 { return total }
                continue
            }
            switch SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ: return total
            case SSL_ERROR_ZERO_RETURN:
                state = .peerClosed
                return total
            default:
                state = .failed
                throw .fromLibrary(.record, "A record of the peer could not be read")
            }
        }
        return total
    }

    // Writing

    /// Encrypts content and appends the bytes to `output`. Throws before the handshake is complete and after the
    /// connection has ended.
    public func write(_ content: UnsafeRawBufferPointer, into output: inout [UInt8]) throws(TLSError) {
        takeOutput(into: &output)
        guard state == .open || state == .peerClosed, !hasClosed else {
            throw TLSError(.configuration, "Content was written to a connection that is not open.")
        }
        guard !content.isEmpty else { return }
        swap(&output, &outgoing)
        defer { swap(&output, &outgoing) }
        forgetErrors()
        var count = 0
        guard SSL_write_ex(session, content.baseAddress, content.count, &count) == 1, count == content.count else {
            state = .failed
            throw .fromLibrary(.record, "The content could not be written")
        }
    }

    /// Whether ``takeOutput(into:)`` has output.
    public var hasOutput: Bool { !outgoing.isEmpty }

    /// Appends pending output, such as handshake messages and alerts, to `output`.
    public func takeOutput(into output: inout [UInt8]) {
        guard !outgoing.isEmpty else { return }
        if output.isEmpty { swap(&output, &outgoing) } else { output.append(contentsOf: outgoing) }
        outgoing = []
    }

    /// Announces that nothing more will be sent (`close_notify`). Reading continues until the peer does the same.
    public func close() {
        guard state == .open || state == .peerClosed, !hasClosed else { return }
        hasClosed = true
        ERR_clear_error()
        // The result states whether the peer has closed the connection as well, which reading detects.
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    // The error queue belongs to the thread, and SSL_get_error reports an old error as a new one. Peeking first costs a
    // tenth of clearing the queue, which is almost always empty.
    private func forgetErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    // The transport

    func transportReads(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, incoming.count)
        guard count > 0 else { return 0 }
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: incoming[..<count]))
        incoming = UnsafeRawBufferPointer(rebasing: incoming[count...])
        return count
    }

    func transportWrites(_ bytes: UnsafeRawBufferPointer) {
        outgoing.append(contentsOf: bytes)
    }
}

// The result of the handshake. Known once the connection is open.
extension TLSConnection {
    /// The application protocol that ALPN has selected, or `nil` if there is none.
    public var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The host name that the client has requested, or `nil` if it named none.
    public var serverName: String? {
        SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The protocol version, such as `TLSv1.3`.
    public var version: String { String(cString: SSL_get_version(session)) }

    /// The standard name of the cipher, such as `TLS_AES_128_GCM_SHA256`.
    public var cipher: String {
        SSL_CIPHER_standard_name(SSL_get_current_cipher(session)).map { String(cString: $0) } ?? ""
    }

    /// Whether the session was resumed with a ticket, without a full handshake.
    public var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// On the server's side: the client's certificate, issued by one of the configured issuers, or `nil` if it presented none.
    public var clientCertificate: TLSClientCertificate? {
        guard let pointer = SSL_get1_peer_certificate(session) else { return nil }
        return TLSClientCertificate(Certificate(owning: pointer))
    }
}
