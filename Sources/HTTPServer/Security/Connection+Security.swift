import CLinux
import Glibc
import HTTP1
import HTTP2
import HTTPModel
import TLS

// What the client speaks: TLS or not, and what above it.
extension Connection {
    /// As reading from the socket, through TLS; answers whether something came.
    func fillWindow(through secure: SecureChannel, _ output: inout [UInt8]) -> Bool {
        let wasHandshaking = secure.isHandshaking
        let room = UnsafeMutableRawBufferPointer(rebasing: context.input[window.upperBound...])
        let reading = secure.read(descriptor, into: room)
        if wasHandshaking, secure.isOpen { handshakeEnded(secure) }
        switch reading {
        case .content(let count, let socketIsEmpty):
            window = window.lowerBound..<(window.upperBound + count)
            // The end of the client's side may lie in the same bytes (RFC 8446 §6.1): it is read next.
            if secure.hasPeerFinished {
                flags.insert(.peerFinished)
            } else if socketIsEmpty {
                socketWasEmptied()
            }
            return true
        case .nothing:
            flags.remove(.canRead)
            // The client may wait for the server to speak first, as both do in HTTP/2.
            return secure.isOpen && secure.speaksHTTP2
        case .end:
            flags.remove(.canRead)
            if secure.isHandshaking { close() } else { peerEnded(&output) }
            return true
        case .failure:
            flags.remove(.canRead)
            fail(secure)
            return false
        }
    }

    private func handshakeEnded(_ secure: SecureChannel) {
        guard let certificate = secure.clientCertificate else { return }
        peer = HTTPPeer(
            address: peer.address, port: peer.port, certificateSubject: certificate.subject, role: peer.role,
            isByUnixSocket: peer.isByUnixSocket)
    }

    /// The handshake failed, or what came later was broken: the peer is told why, as far as it listens.
    private func fail(_ secure: SecureChannel) {
        var alert: [UInt8] = []
        if secure.seal(&alert, on: context), !alert.isEmpty {
            _ = alert.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        }
        close()
    }

    /// Before an orderly end: says so over TLS, if the socket takes it at once.
    func sayGoodbye() {
        guard let secure, secure.isOpen, unsent.isEmpty, !flags.contains(.hasFinishedSending) else { return }
        secure.close()
        var goodbye: [UInt8] = []
        guard secure.seal(&goodbye, on: context), !goodbye.isEmpty else { return }
        _ = goodbye.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
    }

    /// What the client speaks, as far as can be told by now.
    func protocolOfFirstBytes() -> HTTP2Preface {
        if let secure {
            if secure.isHandshaking { return .undecided }
            // RFC 9113 §3.2: over TLS, the handshake settles it. A preface that it does not announce is not HTTP/1.1.
            return secure.speaksHTTP2 ? .present : .absent
        }
        guard context.configuration.servesHTTP2 else { return .absent }
        return HTTP2Preface.recognize(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(context.input)[window]))
    }

    /// The client speaks HTTP/2; what has been read is not ours.
    func becomeMultiplexed() -> Bool {
        state = .multiplexed(Array(context.input[window]))
        dropInput()
        return false
    }

    /// Another kind of connection takes the socket over.
    func giveWay(with bytes: [UInt8]) {
        state = .closed
        context.loop.remove(self)
        let successor = MultiplexedConnection(descriptor: descriptor, peer: peer, secure: secure, context: context)
        successor.clientLease = clientLease
        successor.unsent = unsent
        successor.unsentStart = unsentStart
        unsent = []
        successor.begin(with: bytes)
    }
}
