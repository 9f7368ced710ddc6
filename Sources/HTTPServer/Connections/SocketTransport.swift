import CLinux

/// A non-blocking socket with or without TLS, and the bytes that it has not accepted yet.
struct SocketTransport {
    let descriptor: Int32
    /// TLS between the socket and the connection; `nil` in cleartext.
    let secure: SecureChannel?
    var unsent = UnsentBytes()

    /// Whether TLS is being negotiated.
    @inline(__always)
    var isHandshaking: Bool { secure?.isHandshaking ?? false }

    /// Whether both sides have agreed on HTTP/2 in the TLS handshake.
    var hasAgreedOnHTTP2: Bool { secure.map { $0.isOpen && $0.speaksHTTP2 } ?? false }

    /// The events of an epoll set for the connection.
    @inline(__always)
    var watchedEvents: UInt32 { unsent.isWatched ? Connection.watched | granary_writable : Connection.watched }

    /// Reads content once.
    func read(into room: UnsafeMutableRawBufferPointer) -> SocketReading {
        secure?.read(descriptor, into: room) ?? SocketReading.receive(from: descriptor, into: room)
    }

    /// Replaces content with the bytes to send, encrypted if necessary. Returns `false` if TLS has failed.
    @inline(__always)
    func seal(_ output: inout [UInt8], on worker: ServerLoop) -> Bool {
        secure?.seal(&output, on: worker) ?? true
    }

    /// Sends content after the unsent bytes.
    mutating func write(_ output: inout [UInt8], on worker: ServerLoop) -> UnsentBytes.Outcome {
        guard seal(&output, on: worker) else { return .failed }
        guard !output.isEmpty || !unsent.isEmpty else { return .sent }
        return output.withUnsafeBytes { unsent.send($0, to: descriptor) }
    }

    /// Closes the socket.
    ///
    /// - Parameter abruptly: Whether the kernel discards unsent bytes and resets the peer.
    mutating func close(abruptly: Bool) {
        if abruptly { granary_reset(descriptor) } else { granary_close(descriptor) }
        unsent.removeAll()
    }
}
