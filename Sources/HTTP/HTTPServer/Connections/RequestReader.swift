import HTTP1
import HTTP2
import HTTPModel
import TLS

/// The reading side of a connection: reads bytes from its transport, detects HTTP/2, and parses requests.
///
/// Between two steps, it holds only the bytes that the parser has not consumed. During a step, the bytes are in the
/// input buffer of the loop, which the caller passes to each method.
struct RequestReader {
    // The methods on the path of a request are inlined, because a call would move the request once more. They borrow the
    // transport as `inout`, because a copy would retain its parts.

    /// The result of looking for a request in the bytes that have arrived.
    // Noncopyable, because a request would otherwise be copied out of it, with a retain of each part.
    enum Outcome: ~Copyable {
        case message(HTTP1Message)
        /// The client uses HTTP/2 and has sent these bytes.
        case http2([UInt8])
        /// The bytes are not a valid request. The connection cannot continue.
        case refused(HTTP1Error)
        /// More bytes are needed.
        ///
        /// - Parameter expectsContinue: Whether the client waits for `100 Continue` before it sends them.
        case starved(expectsContinue: Bool)
    }

    /// The result of reading from the transport once.
    enum Arrival: Equatable {
        /// Bytes arrived, and there may be more.
        case bytes
        /// All bytes that the socket had arrived.
        case allBytes
        /// The last bytes of the peer's side arrived. Its end is read next.
        case lastBytes
        /// No bytes arrived.
        case nothing
        /// No bytes arrived, but the TLS handshake has selected HTTP/2.
        case http2
        /// The peer's side ended.
        ///
        /// - Parameter isBetweenRequests: Whether it ended at a place where a request may begin.
        case end(isBetweenRequests: Bool)
        /// The peer's side ended during the TLS handshake.
        case endOfHandshake
        /// The transport failed.
        case failure
    }

    /// The client. Its certificate is known after the TLS handshake.
    private(set) var peer: HTTPPeer
    private var parser: HTTP1RequestParser
    private var input = ConnectionInput()
    /// Whether clients may use HTTP/2 in cleartext.
    private let servesHTTP2: Bool

    init(peer: HTTPPeer, _ configuration: HTTPServerConfiguration) {
        self.peer = peer
        parser = HTTP1RequestParser(limits: configuration.limits)
        servesHTTP2 = configuration.servesHTTP2
    }

    /// The number of bytes of the current request's body so far.
    @inline(__always)
    var bodyCount: Int { parser.bodyCount }

    /// Whether bytes of the next request are kept between two steps.
    @inline(__always)
    var hasInput: Bool { !input.isEmpty }

    /// Whether bytes follow the request that was parsed last. During a step only.
    @inline(__always)
    var hasUnparsedInput: Bool { !input.isWindowEmpty }

    /// Whether no part of a request has arrived. Between two steps only.
    var isIdle: Bool { parser.phase == .idle && input.isEmpty }

    /// Returns the conditions that determine the wait of the connection.
    @inline(__always)
    func circumstances(over transport: SocketTransport) -> ConnectionState.Circumstances {
        ConnectionState.Circumstances(
            isHandshaking: transport.isHandshaking, parserPhase: parser.phase, hasInput: hasInput,
            hasUnsentBytes: !transport.unsent.isEmpty)
    }

    /// Returns the next request, if all of its bytes have arrived.
    ///
    /// - Parameters:
    ///   - isFirst: Whether no request has arrived yet, so that the client may still turn out to use HTTP/2.
    ///   - secure: The TLS of the connection, which is evaluated only for the first request.
    @inline(__always)
    mutating func next(
        in buffer: UnsafeMutableRawBufferPointer, isFirst: Bool, over secure: @autoclosure () -> SecureChannel?
    ) -> Outcome {
        input.load(into: buffer)
        if isFirst, parser.phase == .idle {
            switch detectHTTP2(in: buffer, secure()) {
            case .present:
                defer { input.discard() }
                return .http2(Array(input.bytes(in: buffer)))
            case .undecided: return .starved(expectsContinue: false)
            case .absent: break
            }
        }
        do throws(HTTP1Error) {
            if let message = try parse(buffer) { return .message(message) }
        } catch {
            return .refused(error)
        }
        return .starved(expectsContinue: parser.takeContinueExpectation())
    }

    @inline(__always)
    private mutating func parse(_ buffer: UnsafeMutableRawBufferPointer) throws(HTTP1Error) -> HTTP1Message? {
        guard !input.isWindowEmpty else { return nil }
        var bytes = input.bytes(in: buffer)
        defer { input.consumed(leaving: bytes.count) }
        return try parser.parse(&bytes, peer: peer)
    }

    private func detectHTTP2(in buffer: UnsafeMutableRawBufferPointer, _ secure: SecureChannel?) -> HTTP2Preface {
        if let secure {
            if secure.isHandshaking { return .undecided }
            // RFC 9113 §3.2: over TLS, the handshake decides. A preface without that negotiation is not valid HTTP/1.1
            // either.
            return secure.speaksHTTP2 ? .present : .absent
        }
        return servesHTTP2 ? HTTP2Preface.recognize(input.bytes(in: buffer)) : .absent
    }

    /// Reads from the transport once, after ``next(in:isFirst:over:)`` has returned that more bytes are needed.
    @inline(__always)
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, from transport: inout SocketTransport
    ) -> Arrival {
        let wasHandshaking = transport.isHandshaking
        let reading = transport.read(into: input.makeRoom(in: buffer))
        if wasHandshaking { handshakeAdvanced(transport.secure) }
        switch reading {
        case .received(let count, let socketIsEmpty):
            input.received(count)
            // The end of the client's side may have arrived together with the last bytes (RFC 8446 §6.1).
            if let secure = transport.secure, secure.hasPeerFinished { return .lastBytes }
            return socketIsEmpty ? .allBytes : .bytes
        case .wouldBlock: return transport.hasAgreedOnHTTP2 ? .http2 : .nothing
        case .ended:
            if transport.isHandshaking { return .endOfHandshake }
            return .end(isBetweenRequests: parser.phase == .idle && input.isWindowEmpty)
        case .failed: return .failure
        }
    }

    private mutating func handshakeAdvanced(_ secure: SecureChannel?) {
        guard let secure, secure.isOpen, let certificate = secure.clientCertificate else { return }
        peer = HTTPPeer(
            address: peer.address, port: peer.port, certificateSubject: certificate.subject,
            certificateNames: certificate.alternativeNames, role: peer.role, isByUnixSocket: peer.isByUnixSocket,
            isListenerLocal: peer.isListenerLocal, isSecure: peer.isSecure)
    }

    /// Copies the remaining bytes at the end of a step, because another connection uses the buffer next.
    @inline(__always)
    mutating func stepEnded(_ buffer: UnsafeMutableRawBufferPointer) { input.store(from: buffer) }

    /// Returns the fields of a request that cannot be completed, as far as they have been read.
    func fieldsOfRefused(in buffer: UnsafeMutableRawBufferPointer) -> HTTPFields {
        parser.fieldsOfRefused(input.bytes(in: buffer))
    }

    /// Whether the request that is being read is known to be `HEAD`.
    var isHead: Bool { parser.isHead }

    mutating func discard() { input.discard() }
}
