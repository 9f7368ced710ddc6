import CLinux
import Glibc
import HTTPModel
import TLS

/// TLS between a socket and its connection. Confined to the same loop as the connection.
final class SecureChannel {
    /// The maximum number of bytes that one system call reads from the socket.
    private static let readBytes = 16 << 10

    private let connection: TLSConnection
    private var isClosing = false

    init(_ context: TLSContext) {
        connection = TLSConnection(context)
    }

    var isOpen: Bool { connection.state == .open || connection.state == .peerClosed }

    /// Whether the peer has sent `close_notify` and will send no more content. Its requests still get responses.
    var hasPeerFinished: Bool { connection.state == .peerClosed }

    var isHandshaking: Bool { connection.state == .handshaking }

    var speaksHTTP2: Bool { connection.applicationProtocol == "h2" }

    var clientCertificate: TLSClientCertificate? { connection.clientCertificate }

    /// Whether the handshake or an alert has bytes to send.
    var hasOutput: Bool { connection.hasOutput }

    /// Reads from the socket and decrypts into a buffer that has room for at least 32 KiB.
    func read(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> SocketReading {
        // The encrypted bytes are at the buffer's end and are decrypted to its start, so that no other buffer is
        // needed.
        let count = min(SecureChannel.readBytes, (room.count - TLSConnection.recordRoom) / 2)
        let buffer = UnsafeMutableRawBufferPointer(rebasing: room.suffix(count))
        let content = UnsafeMutableRawBufferPointer(rebasing: room.dropLast(count))
        if hasPeerFinished { return .ended }
        while true {
            let wasHandshaking = isHandshaking
            let received = granary_receive(descriptor, buffer.baseAddress, buffer.count)
            if received == -Int(EAGAIN) { return .wouldBlock }
            guard received > 0 else { return received == 0 ? .ended : .failed }
            do throws(TLSError) {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<received])
                let count = try connection.read(bytes, into: content)
                if count > 0 { return .received(count, socketIsEmpty: received < buffer.count) }
                if connection.state == .peerClosed { return .ended }
                // The peer sends its next handshake message only after the server's reply, so another read would find
                // nothing.
                if wasHandshaking, received < buffer.count { return .received(0, socketIsEmpty: true) }
            } catch {
                return .failed
            }
        }
    }

    /// Replaces the content of a buffer with the bytes to send for it: those of the handshake, the encrypted content, and
    /// `close_notify` after ``close()``. Returns `false` if TLS has failed.
    func seal(_ output: inout [UInt8], on loop: ServerLoop) -> Bool {
        guard output.isEmpty || sealContent(&output, on: loop) else {
            output.removeAll(keepingCapacity: true)
            return false
        }
        if isClosing { connection.close() }
        connection.takeOutput(into: &output)
        return true
    }

    private func sealContent(_ output: inout [UInt8], on loop: ServerLoop) -> Bool {
        var sealed = loop.sealed.take()
        defer { loop.sealed.recycle(&sealed) }
        let isSealed = output.withUnsafeBytes { content in
            do throws(TLSError) {
                try connection.write(content, into: &sealed)
                return true
            } catch {
                return false
            }
        }
        // Swapped, not assigned: both buffers keep a single owner, so that neither is copied when it is emptied.
        if isSealed { swap(&output, &sealed) }
        return isSealed
    }

    /// Requests that the next ``seal(_:on:)`` appends `close_notify` to the content. Has an effect once.
    func close() {
        isClosing = true
    }

    /// Sends `close_notify`, unless the socket is full. Called before the socket is closed regularly.
    func sendClosure(to descriptor: Int32, on loop: ServerLoop) {
        guard isOpen else { return }
        close()
        sendPending(to: descriptor, on: loop)
    }

    /// Sends what is left, such as the alert about a failure, unless the socket is full.
    func sendPending(to descriptor: Int32, on loop: ServerLoop) {
        var output: [UInt8] = []
        guard seal(&output, on: loop), !output.isEmpty else { return }
        // The socket is closed next, even if it does not accept all bytes.
        _ = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
    }
}
