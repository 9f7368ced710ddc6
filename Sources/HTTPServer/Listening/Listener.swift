import CLinux
import Glibc
import HTTP1
import HTTPModel
import Log
import TLS

/// A listening socket of one loop.
final class Listener: EpollHandler {
    /// Connections taken in one round, so that a flood of them does not starve those that are there.
    private static let acceptsPerRound = 64
    private static let pause = Duration.milliseconds(250)

    /// Takes the next connection and fills in its peer; a negative error number if there is none.
    typealias Accept = @Sendable (_ listener: Int32, _ peer: inout granary_peer) -> Int32

    static let acceptFromKernel: Accept = { listener, peer in granary_accept(listener, &peer) }

    private unowned let context: ServerLoop
    private let accept: Accept
    private let socket: ListeningSocket
    /// Given up to take a connection and close it when there is no other descriptor left: otherwise it would stay in
    /// the kernel's queue, its client would wait, and the socket would be ready for ever.
    private var spare: Int32
    private var retry: (any EventLoopTimer)?
    /// How far on the loop is that the last connection was dealt to.
    private var dealt = -1
    private var isWatched = false

    init(_ socket: ListeningSocket, context: ServerLoop, accept: @escaping Accept = Listener.acceptFromKernel) {
        self.context = context
        self.socket = socket
        self.accept = accept
        spare = granary_spare_descriptor()
        super.init(descriptor: socket.descriptor)
    }

    func begin() throws(HTTPServerError) {
        try HTTPServerError.check(context.loop.add(self, for: readiness), "watch a listening socket")
        isWatched = true
    }

    /// A socket that several loops wait at wakes one of them for each connection, not all.
    private var readiness: UInt32 { socket.isShared ? granary_readable | granary_exclusive : granary_readable }

    /// Closes the socket. Clients are refused from then on, unless another loop or another server has it too.
    func end() {
        retry?.cancel()
        if isWatched { context.loop.remove(self) }
        isWatched = false
        granary_close(descriptor)
        if spare >= 0 { granary_close(spare) }
    }

    override func becameReady(_ readiness: UInt32) {
        for _ in 0..<Listener.acceptsPerRound {
            guard acceptNext() else { return }
        }
    }

    /// Takes every connection that waits. Closing the socket instead would reset them, though their clients have been
    /// told that they are connected.
    func acceptAll() {
        for _ in 0..<context.configuration.backlog where !acceptNext() { return }
    }

    /// Takes one connection; answers whether there may be another.
    private func acceptNext() -> Bool {
        var peer = granary_peer()
        let accepted = accept(descriptor, &peer)
        guard accepted >= 0 else { return !isOver(-accepted) }
        deal(accepted, peer.model(for: socket))
        return true
    }

    /// Gives a connection to the loop that is to have it. Where each loop has a socket of its own, that is this one; a socket
    /// that is for all of them deals to one after the other, as whoever accepts first would end up with most of them.
    private func deal(_ accepted: Int32, _ peer: HTTPPeer) {
        let loops = context.siblings
        guard socket.isShared, !loops.isEmpty, !context.isDraining else {
            return Listener.receive(accepted, peer, socket, context)
        }
        dealt = (dealt + 1) % loops.count
        let target = loops[(context.loop.index + dealt) % loops.count]
        guard target !== context else { return Listener.receive(accepted, peer, socket, context) }
        let connection = DealtConnection(accepted, peer, gauge: context.gauge)
        target.loop.execute { [socket] in Listener.receive(connection.take(), connection.peer, socket, target) }
    }

    /// Hears from a proxy whose connection it is, and takes it on.
    private static func receive(
        _ descriptor: Int32, _ peer: HTTPPeer, _ socket: ListeningSocket, _ context: ServerLoop
    ) {
        guard context.configuration.proxies.contains(where: { $0.contains(peer.address) }) else {
            return admit(descriptor, peer, isSecure: socket.isSecure, context)
        }
        ProxyGreeting.await(descriptor: descriptor, proxy: peer, context: context) { [unowned context] in
            Listener.admit($0, $1, isSecure: socket.isSecure, context)
        }
    }

    /// Takes a connection on, if its client may have another.
    private static func admit(_ descriptor: Int32, _ peer: HTTPPeer, isSecure: Bool, _ context: ServerLoop) {
        var ticket: ClientTicket?
        if let ledger = context.ledger, !peer.isAnonymous {
            ticket = ledger.admit(peer.address, now: context.loop.nanoseconds)
            guard ticket != nil else { return turnAway(descriptor, isSecure: isSecure, context) }
        }
        let tls = isSecure ? context.configuration.tls?.source.current : nil
        Connection.open(descriptor: descriptor, peer: peer, tls: tls, ticket: ticket, worker: context)
    }

    /// Says why, where that costs no handshake, and closes without waiting for anything: a client that makes too many
    /// connections gets none to keep busy.
    private static func turnAway(_ descriptor: Int32, isSecure: Bool, _ context: ServerLoop) {
        defer { granary_close(descriptor) }
        guard !isSecure else { return }
        var output = context.output.take()
        _ = HTTP1ResponseEncoder.encode(
            ProblemDetails.tooManyConnections.response, for: HTTP1Exchange(), dateLine: context.dateLine(),
            into: &output)
        _ = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        _ = granary_finish_sending(descriptor)
        context.output.giveBack(&output)
    }

    /// Whether an error means that there is nothing to accept in this round; the others are about one connection that
    /// has gone before it was taken.
    private func isOver(_ error: Int32) -> Bool {
        switch error {
        case EAGAIN: return true
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            context.log.limited(.warning, "no room for another connection", ["error": .number(Int(error))])
            turnOneAway()
            rest()
            return true
        default: return false
        }
    }

    private func turnOneAway() {
        guard spare >= 0 else { return }
        granary_close(spare)
        var peer = granary_peer()
        let accepted = accept(descriptor, &peer)
        if accepted >= 0 { granary_close(accepted) }
        spare = granary_spare_descriptor()
    }

    /// Looks away for a moment, until connections have gone.
    private func rest() {
        // A listener that rests already may be asked once more, by a server that goes down.
        guard isWatched else { return }
        context.loop.remove(self)
        isWatched = false
        retry = context.loop.schedule(after: Listener.pause) { [unowned self] in resume() }
    }

    private func resume() {
        isWatched = context.loop.add(self, for: readiness) >= 0
        if !isWatched { retry = context.loop.schedule(after: Listener.pause) { [unowned self] in resume() } }
    }
}

extension granary_peer {
    /// The peer as requests carry it.
    fileprivate func model(for socket: ListeningSocket) -> HTTPPeer {
        let text = withUnsafeBytes(of: address) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return HTTPPeer(address: text, port: port, role: socket.role, isByUnixSocket: socket.isUnix)
    }
}

extension HTTPPeer {
    /// Whether nothing tells it from others: a program that has come by a Unix socket.
    fileprivate var isAnonymous: Bool { isByUnixSocket && address == "unix" }
}
