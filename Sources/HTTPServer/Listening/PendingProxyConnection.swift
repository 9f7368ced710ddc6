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
    private unowned let context: ServerLoop
    private let proxy: HTTPPeer
    private let admit: Admission

    /// Opens the connection under its client's address, which it also counts towards.
    typealias Admission = (_ descriptor: Int32, _ peer: HTTPPeer) -> Void

    private init(descriptor: Int32, proxy: HTTPPeer, context: ServerLoop, admit: @escaping Admission) {
        self.context = context
        self.proxy = proxy
        self.admit = admit
        super.init(descriptor: descriptor)
    }

    static func await(
        descriptor: Int32, proxy: HTTPPeer, context: ServerLoop, then admit: @escaping Admission
    ) {
        let greeting = PendingProxyConnection(descriptor: descriptor, proxy: proxy, context: context, admit: admit)
        guard context.gauge.enter(), context.loop.add(greeting, for: Connection.watched) >= 0 else {
            granary_close(descriptor)
            return context.gauge.leave()
        }
        context.loop.wake(greeting, at: context.loop.nanoseconds + context.times.head)
    }

    override func becameReady(_ readiness: UInt32) {
        let count = granary_peek(descriptor, context.input.baseAddress, ProxyHeader.longest)
        guard count > 0 else {
            if count != -Int(EAGAIN) { end() }
            return
        }
        switch ProxyHeader.read(UnsafeRawBufferPointer(rebasing: context.input[..<count])) {
        case .unfinished:
            // A peek stops before urgent data, so the rest of the header would never be seen.
            let isLast = granary_peer_finished | granary_hung_up | granary_failed | granary_urgent
            if readiness & isLast != 0 { end() }
        case .broken:
            context.log.limited(.warning, "a proxy sent no valid PROXY header", ["proxy": .text(proxy.address)])
            end()
        case .whole(let header, let count): pass(on: header, count: count)
        }
    }

    /// Called when the header has not arrived in time.
    override func timePassed(now: UInt64) {
        end()
    }

    override func drain() {
        context.loop.wake(self, at: context.loop.nanoseconds + min(context.times.head, context.times.linger))
    }

    override func cutOff() {
        end()
    }

    private func pass(on header: ProxyHeader, count: Int) {
        guard granary_receive(descriptor, context.input.baseAddress, count) == count else { return end() }
        context.loop.remove(self)
        switch header {
        case .own: admit(descriptor, proxy)
        case .client(let address, let port):
            admit(
                descriptor,
                HTTPPeer(address: address, port: port, role: proxy.role, isByUnixSocket: proxy.isByUnixSocket))
        }
        context.gauge.leave()
    }

    private func end() {
        context.loop.remove(self)
        granary_close(descriptor)
        context.gauge.leave()
    }
}
