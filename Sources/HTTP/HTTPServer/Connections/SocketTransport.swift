import CLinux

/// A non-blocking socket with or without TLS, and the bytes that it has not accepted yet.
struct SocketTransport {
    /// The events that the epoll set of every connection reports.
    static let watchedEvents = granary_readable | granary_peer_finished | granary_urgent | granary_edge_triggered

    let descriptor: Int32
    /// TLS between the socket and the connection; `nil` in cleartext.
    let secure: SecureChannel?
    /// Whether the client uses TLS, with this server or with the one that has passed the connection.
    let isSecure: Bool
    var unsent = UnsentBytes()
    /// Whether the loop's outbox contains bytes of the connection.
    var isPosted = false

    init(descriptor: Int32, secure: SecureChannel? = nil, isSecure: Bool = false) {
        self.descriptor = descriptor
        self.secure = secure
        self.isSecure = isSecure
    }

    /// Whether TLS is being negotiated.
    @inline(__always)
    var isHandshaking: Bool { secure?.isHandshaking ?? false }

    /// Whether both sides have agreed on HTTP/2 in the TLS handshake.
    var hasAgreedOnHTTP2: Bool { secure.map { $0.isOpen && $0.speaksHTTP2 } ?? false }

    /// The events of an epoll set for the connection.
    @inline(__always)
    var watchedEvents: UInt32 {
        unsent.isWatched ? SocketTransport.watchedEvents | granary_writable : SocketTransport.watchedEvents
    }

    /// Reads content once.
    func read(into room: UnsafeMutableRawBufferPointer) -> SocketReading {
        secure?.read(descriptor, into: room) ?? SocketReading.receive(from: descriptor, into: room)
    }

    /// Replaces content with the bytes to send, encrypted if necessary. Returns `false` if TLS has failed.
    @inline(__always)
    func seal(_ output: inout [UInt8], on serverLoop: ServerLoop) -> Bool {
        secure?.seal(&output, on: serverLoop) ?? true
    }

    /// Sends content after the unsent bytes.
    mutating func write(_ output: inout [UInt8], on serverLoop: ServerLoop) -> UnsentBytes.Outcome {
        guard seal(&output, on: serverLoop) else { return .failed }
        guard !output.isEmpty || !unsent.isEmpty else { return .sent }
        return output.withUnsafeBytes { unsent.send($0, to: descriptor) }
    }

    /// Sends the bytes that the loop's outbox contained.
    mutating func sendPosted(_ bytes: UnsafeRawBufferPointer) -> UnsentBytes.Outcome {
        isPosted = false
        return unsent.send(bytes, to: descriptor)
    }

    /// Makes the loop report when the socket accepts bytes again.
    mutating func watchWriting(for handler: EpollHandler, on loop: EpollEventLoop) {
        if unsent.watch() { loop.watch(handler, for: watchedEvents) }
    }

    /// Sends the TLS alert about a failure, if there is one.
    func sendAlert(on serverLoop: ServerLoop) { secure?.sendPending(to: descriptor, on: serverLoop) }

    /// Closes the sending side.
    func finishSending() { _ = granary_finish_sending(descriptor) }

    /// Closes the socket, after the end of TLS if the socket may accept it.
    ///
    /// - Parameters:
    ///   - abruptly: Whether the kernel discards unsent bytes and resets the peer.
    ///   - canSend: Whether the sending side is still open.
    mutating func close(abruptly: Bool, canSend: Bool, on serverLoop: ServerLoop) {
        if canSend, !abruptly, unsent.isEmpty { secure?.sendClosure(to: descriptor, on: serverLoop) }
        close(abruptly: abruptly)
    }

    /// Closes the socket.
    ///
    /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
    mutating func close(abruptly: Bool) {
        if abruptly { granary_reset(descriptor) } else { granary_close(descriptor) }
        unsent.removeAll()
        isPosted = false
    }
}

extension SocketTransport {
    /// Prepares the next write of a connection according to the outcome of the last one. Returns `false` if the socket
    /// has failed.
    ///
    /// - Parameter deadlines: The wait of the connection starts again if the peer has read something.
    @inline(__always)
    mutating func settle(
        _ outcome: UnsentBytes.Outcome, of handler: EpollHandler, _ deadlines: inout ConnectionDeadlines,
        on loop: EpollEventLoop
    ) -> Bool {
        switch outcome {
        case .sent: return true
        case .failed: return false
        case .blocked: watchWriting(for: handler, on: loop)
        case .advanced:
            deadlines.restart()
            watchWriting(for: handler, on: loop)
        case .drained:
            deadlines.restart()
            // Reading and streaming were paused until the bytes were sent.
            loop.mark(handler)
        }
        return true
    }
}
