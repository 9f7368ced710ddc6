import COpenSSL

/// The server's side of one connection of TLS, without I/O: bytes from the socket go in and content comes out, content
/// goes in and bytes for the socket come out. Confined to one thread.
///
/// It holds no buffers while it is idle. After any error it is of no further use, but ``takeOutput(into:)`` has what
/// the client is to be told.
public final class TLSConnection {
    /// How far it is.
    public enum State: Hashable, Sendable {
        /// The two sides are still finding common ground.
        case handshaking
        /// Content can be read and written.
        case open
        /// The client has said that it sends no more.
        case peerClosed
        /// An error has ended it.
        case failed
    }

    /// Room that content may need beyond the bytes it came in: that of one record, of which a part came before.
    public static let recordRoom = 16 << 10

    private var allowance = RecordAllowance()

    /// How far it is.
    @exclusivity(unchecked) public private(set) var state = State.handshaking

    private let context: TLSContext
    private let session: OpaquePointer
    // One thread touches them, and the library calls back only inside a call to it: the checks that nobody else does
    // would cost a part of each request.
    @exclusivity(unchecked) private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    @exclusivity(unchecked) private var outgoing: [UInt8] = []
    @exclusivity(unchecked) private var hasClosed = false

    /// A connection on which nothing has come yet.
    public init(_ context: TLSContext) {
        self.context = context
        guard let session = SSL_new(context.initial), let transport = BIO_new(context.transport) else {
            preconditionFailure("there is no memory for another connection of TLS")
        }
        self.session = session
        BIO_set_data(transport, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_bio(session, transport, transport)
        SSL_set_accept_state(session)
    }

    deinit {
        SSL_free(session)
    }

    // Reading

    /// Takes bytes from the socket, goes on with the handshake, and answers how many bytes of content came of them,
    /// which are put into `content`. That has to have room for as many bytes as come and ``recordRoom`` more. Throws
    /// where the client breaks the rules; there may be something to tell it even then.
    public func read(
        _ bytes: UnsafeRawBufferPointer, into content: UnsafeMutableRawBufferPointer
    ) throws(TLSError) -> Int {
        precondition(content.count >= bytes.count + TLSConnection.recordRoom, "content may have no room")
        guard state == .handshaking || state == .open else { return 0 }
        incoming = bytes
        defer { incoming = UnsafeRawBufferPointer(start: nil, count: 0) }
        // The handshake has limits of its own.
        if state == .handshaking { return try shakeHands() ? try readContent(into: content) : 0 }
        let count = try readContent(into: content)
        guard allowance.take(received: bytes.count, content: count) else {
            state = .failed
            throw TLSError(.record, "The client sent too much that is no content.")
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
                // With nothing left to read from, the library would only say so.
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
                throw .fromLibrary(.record, "What the client sent cannot be read")
            }
        }
        return total
    }

    /// The socket has come to its end. Throws where the client has not said so before (`close_notify`): what came last
    /// may have been cut off by somebody between.
    public func readEnd() throws(TLSError) {
        guard state == .handshaking || state == .open else { return }
        let isCut = state == .handshaking ? "the handshake was over" : "it said that it would"
        state = .failed
        throw TLSError(.truncated, "The client closed the connection before \(isCut).")
    }

    // Writing

    /// Turns content into bytes for the socket, which are put behind those in `output`. Throws before the handshake is
    /// over and after the connection has ended.
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
            throw .fromLibrary(.record, "Content cannot be written")
        }
    }

    /// Whether ``takeOutput(into:)`` has something.
    public var hasOutput: Bool { !outgoing.isEmpty }

    /// Moves what is to be sent, the handshake's part and what the client is told in the end, behind the bytes in
    /// `output`.
    public func takeOutput(into output: inout [UInt8]) {
        guard !outgoing.isEmpty else { return }
        if output.isEmpty { swap(&output, &outgoing) } else { output.append(contentsOf: outgoing) }
        outgoing = []
    }

    /// Says that nothing more will be sent (`close_notify`). Reading goes on until the client says the same.
    public func close() {
        guard state == .open || state == .peerClosed, !hasClosed else { return }
        hasClosed = true
        ERR_clear_error()
        // The answer is whether the client has closed too, which reading finds out.
        _ = SSL_shutdown(session)
        ERR_clear_error()
    }

    /// What went wrong earlier on this thread is not to be taken for what comes now. Asking first costs a tenth of
    /// wiping a list that is empty almost always.
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

// What the two sides have found. Known once the connection is open.
extension TLSConnection {
    /// The protocol above, as ALPN has named it; `nil` where the client offered none.
    public var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The name of the host that the client asked for; `nil` where it named none.
    public var serverName: String? {
        SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map { String(cString: $0) }
    }

    /// The version that is spoken, `TLSv1.3`.
    public var version: String { String(cString: SSL_get_version(session)) }

    /// The cipher by its standard name, `TLS_AES_128_GCM_SHA256`.
    public var cipher: String {
        SSL_CIPHER_standard_name(SSL_get_current_cipher(session)).map { String(cString: $0) } ?? ""
    }

    /// Whether the client has come back with a ticket, so that there was no full handshake.
    public var isResumed: Bool { SSL_session_reused(session) == 1 }

    /// The certificate that the client showed, which is one of a configured issuer; `nil` where it showed none.
    public var clientCertificate: TLSClientCertificate? {
        guard let pointer = SSL_get1_peer_certificate(session) else { return nil }
        return TLSClientCertificate(Certificate(owning: pointer))
    }
}
