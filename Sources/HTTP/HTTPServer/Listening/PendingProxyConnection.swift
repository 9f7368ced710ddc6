import CLinux
import Glibc
import HTTPModel
import Log

/// A connection from a trusted proxy whose PROXY header has not arrived yet. Confined to its loop. When the header is
/// complete, the socket becomes the connection of the client that the header names.
///
/// The header is peeked at while it is in the kernel's buffer and read only when it is complete. No byte after it,
/// which belongs to a request or a TLS handshake, is read here.
final class PendingProxyConnection: EpollHandler {
    private unowned let serverLoop: ServerLoop
    private let proxy: HTTPPeer
    private let admit: Admission

    /// Opens the connection with its client's address, and counts it for that address. The server has counted it already.
    typealias Admission = (_ descriptor: Int32, _ peer: HTTPPeer) -> Void

    private init(descriptor: Int32, proxy: HTTPPeer, serverLoop: ServerLoop, admit: @escaping Admission) {
        self.serverLoop = serverLoop
        self.proxy = proxy
        self.admit = admit
        super.init(descriptor: descriptor)
    }

    /// Waits for the header of a connection.
    ///
    /// - Parameter refuse: Called instead if the server has as many connections as it may have. Closes the socket.
    static func await(
        descriptor: Int32, proxy: HTTPPeer, serverLoop: ServerLoop, refuse: () -> Void,
        then admit: @escaping Admission
    ) {
        // Operators can look at a full server.
        guard serverLoop.gauge.enter() || proxy.role == .admin else {
            refuse()
            return serverLoop.gauge.leave()
        }
        let connection = PendingProxyConnection(
            descriptor: descriptor, proxy: proxy, serverLoop: serverLoop, admit: admit)
        guard serverLoop.loop.add(connection, for: SocketTransport.watchedEvents) >= 0 else {
            granary_close(descriptor)
            return serverLoop.gauge.leave()
        }
        serverLoop.loop.wake(connection, at: serverLoop.loop.nanoseconds + serverLoop.times.head)
    }

    override func becameReady(_ readiness: UInt32) {
        let count = granary_peek(descriptor, serverLoop.input.baseAddress, ProxyHeader.maxLength)
        guard count > 0 else {
            if count != -Int(EAGAIN) { end() }
            return
        }
        switch ProxyHeader.read(UnsafeRawBufferPointer(rebasing: serverLoop.input[..<count])) {
        case .unfinished:
            // A peek stops before urgent data, so the rest of the header would never be seen.
            let isLast = granary_peer_finished | granary_hung_up | granary_failed | granary_urgent
            if readiness & isLast != 0 { end() }
        case .broken:
            serverLoop.log.limited(.warning, "a proxy sent no valid PROXY header", ["proxy": .text(proxy.address)])
            end()
        case .whole(let header, let count): pass(on: header, count: count)
        }
    }

    /// Called when the header has not arrived in time.
    override func timePassed(now: UInt64) {
        end()
    }

    override func drain() {
        serverLoop.loop.wake(
            self, at: serverLoop.loop.nanoseconds + min(serverLoop.times.head, serverLoop.times.linger))
    }

    override func cutOff() {
        end()
    }

    private func pass(on header: ProxyHeader, count: Int) {
        // These bytes were peeked at, so the socket has them; anything else means that it has failed.
        guard granary_receive(descriptor, serverLoop.input.baseAddress, count) == count else { return end() }
        serverLoop.loop.remove(self)
        switch header {
        case .own: admit(descriptor, proxy)
        // The peer is never the proxy, which may have no limit.
        case .unknown: admit(descriptor, HTTPPeer(client: nil, forwardedBy: proxy))
        case .client(let address, let port):
            admit(
                descriptor,
                HTTPPeer(
                    address: address, port: port, role: proxy.role, isByUnixSocket: proxy.isByUnixSocket,
                    isListenerLocal: proxy.isListenerLocal, isSecure: proxy.isSecure))
        }
    }

    private func end() {
        serverLoop.loop.remove(self)
        granary_close(descriptor)
        serverLoop.gauge.leave()
    }
}
