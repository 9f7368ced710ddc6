import CLinux
import Glibc
import TLS

/// TLS between a socket and the connection on it: what is read comes through here, and what is written goes through here.
/// Confined as its connection is.
final class SecureChannel {
    /// Bytes that are taken off the socket at a time.
    private static let readBytes = 16 << 10

    /// What a read brought.
    enum Reading {
        /// So many bytes of content, none only during the handshake; whether the socket is known to be empty.
        case content(Int, socketIsEmpty: Bool)
        /// No content yet.
        case nothing
        /// The peer has ended its side.
        case end
        /// The socket or the peer failed. There may be something to tell the peer.
        case failure
    }

    private let connection: TLSConnection
    private var isClosing = false

    init(_ context: TLSContext) {
        connection = TLSConnection(context)
    }

    var isOpen: Bool { connection.state == .open || connection.state == .peerClosed }

    /// Whether the peer has said that it sends no more (`close_notify`). What it has asked for before is still answered.
    var hasPeerFinished: Bool { connection.state == .peerClosed }

    var isHandshaking: Bool { connection.state == .handshaking }

    var speaksHTTP2: Bool { connection.applicationProtocol == "h2" }

    var clientCertificate: TLSClientCertificate? { connection.clientCertificate }

    /// Whether the handshake or an alert has something to send.
    var hasOutput: Bool { connection.hasOutput }

    /// Reads from the socket into a buffer, which has room for at least 32 KiB. What comes off the socket lies at its end
    /// meanwhile.
    func read(_ descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> Reading {
        let count = min(SecureChannel.readBytes, (room.count - TLSConnection.recordRoom) / 2)
        let buffer = UnsafeMutableRawBufferPointer(rebasing: room.suffix(count))
        let content = UnsafeMutableRawBufferPointer(rebasing: room.dropLast(count))
        if hasPeerFinished { return .end }
        while true {
            let wasHandshaking = isHandshaking
            let received = granary_receive(descriptor, buffer.baseAddress, buffer.count)
            if received == -Int(EAGAIN) { return .nothing }
            guard received > 0 else { return received == 0 ? .end : .failure }
            do throws(TLSError) {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<received])
                let count = try connection.read(bytes, into: content)
                if count > 0 { return .content(count, socketIsEmpty: received < buffer.count) }
                if connection.state == .peerClosed { return .end }
                // The next message of a handshake comes after our answer.
                if wasHandshaking, received < buffer.count { return .content(0, socketIsEmpty: true) }
            } catch {
                return .failure
            }
        }
    }

    /// Puts what is to be sent in the place of the content that a buffer holds: what the handshake has to send before it, and
    /// the goodbye, where it is time for that, behind it. Answers whether that worked.
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
        if isSealed { swap(&output, &sealed) }
        return isSealed
    }

    /// Says goodbye, once, with the next ``seal(_:on:)`` and behind its content.
    func close() {
        isClosing = true
    }
}
