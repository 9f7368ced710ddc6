import CLinux
import Glibc

/// The outcome of reading from a non-blocking socket, in cleartext or through TLS.
enum SocketReading {
    /// The number of bytes of content, which is 0 only during a TLS handshake, and whether the socket is known to be
    /// empty.
    case received(Int, socketIsEmpty: Bool)
    /// The socket has no bytes, or not enough for content.
    case wouldBlock
    /// The peer has closed its sending side.
    case ended
    /// The socket failed, or the peer violated the TLS protocol. In the latter case, there may be an alert to send.
    case failed

    /// Reads from a socket without TLS.
    static func receive(from descriptor: Int32, into room: UnsafeMutableRawBufferPointer) -> SocketReading {
        let received = granary_receive(descriptor, room.baseAddress, room.count)
        if received > 0 { return .received(received, socketIsEmpty: received < room.count) }
        return received == 0 ? .ended : received == -Int(EAGAIN) ? .wouldBlock : .failed
    }
}
