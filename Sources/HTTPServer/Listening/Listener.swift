import CLinux
import Glibc
import HTTP1
import HTTPModel
import Log
import TLS

/// A listening socket of one loop.
final class Listener: EpollHandler {
    /// The number of connections accepted per round, so that a flood of new ones does not starve the existing ones.
    private static let acceptsPerRound = 64
    private static let pause = Duration.milliseconds(250)

    /// Accepts the next connection and fills in its peer. Returns a negative error number if there is none.
    typealias Accept = @Sendable (_ listener: Int32, _ peer: inout granary_peer) -> Int32

    static let acceptFromKernel: Accept = { listener, peer in granary_accept(listener, &peer) }

    private unowned let context: ServerLoop
    private let accept: Accept
    private let socket: ListeningSocket
    /// Closed to make room when no descriptor is left, so that a connection can be accepted and closed. Otherwise that
    /// connection would stay in the kernel's queue, its client would wait, and the socket would stay ready forever.
    private var spare: Int32
    private var retry: (any EventLoopTimer)?
    /// The offset, from this loop, of the loop that got the last connection.
    private var lastOffset = -1
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

    /// With EPOLLEXCLUSIVE, a connection on a socket that several loops watch wakes one of them instead of all.
    private var readiness: UInt32 { socket.isShared ? granary_readable | granary_exclusive : granary_readable }

    /// Closes the socket. From then on clients are refused, unless another loop or another server has the socket as
    /// well.
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

    /// Accepts all waiting connections. The kernel would reset them if the socket were closed, although their clients
    /// have already connected successfully.
    func acceptAll() {
        for _ in 0..<context.configuration.backlog where !acceptNext() { return }
    }

    /// Accepts one connection; returns whether there may be another.
    private func acceptNext() -> Bool {
        var peer = granary_peer()
        let accepted = accept(descriptor, &peer)
        guard accepted >= 0 else { return !isOver(-accepted) }
        deal(accepted, peer.model(for: socket))
        return true
    }

    /// Passes a connection to the loop that will serve it. A socket of this loop only serves it here. A socket for all
    /// loops distributes connections in turn; otherwise the loop that accepts first would end up with most of them.
    private func deal(_ accepted: Int32, _ peer: HTTPPeer) {
        let loops = context.siblings
        guard socket.isShared, !loops.isEmpty, !context.isDraining else {
            return Listener.receive(accepted, peer, socket, context)
        }
        lastOffset = (lastOffset + 1) % loops.count
        let target = loops[(context.loop.index + lastOffset) % loops.count]
        guard target !== context else { return Listener.receive(accepted, peer, socket, context) }
        let connection = AcceptedConnection(accepted, peer, gauge: context.gauge)
        target.loop.execute { [socket] in Listener.receive(connection.take(), connection.peer, socket, target) }
    }

    /// Reads the PROXY header of a trusted proxy's connection first; admits any other connection directly.
    private static func receive(
        _ descriptor: Int32, _ peer: HTTPPeer, _ socket: ListeningSocket, _ context: ServerLoop
    ) {
        guard context.configuration.proxies.contains(where: { $0.contains(peer.address) }) else {
            return admit(descriptor, peer, isSecure: socket.isSecure, context)
        }
        PendingProxyConnection.await(descriptor: descriptor, proxy: peer, context: context) { [unowned context] in
            Listener.admit($0, $1, isSecure: socket.isSecure, context)
        }
    }

    /// Opens a connection, if its client may have another one.
    private static func admit(_ descriptor: Int32, _ peer: HTTPPeer, isSecure: Bool, _ context: ServerLoop) {
        var clientLease: ClientLease?
        if let clientLimiter = context.clientLimiter, !peer.isAnonymous {
            clientLease = clientLimiter.admit(peer.address, now: context.loop.nanoseconds)
            guard clientLease != nil else { return turnAway(descriptor, isSecure: isSecure, context) }
        }
        let tls = isSecure ? context.configuration.tls?.source.current : nil
        Connection.open(descriptor: descriptor, peer: peer, tls: tls, clientLease: clientLease, context: context)
    }

    /// Refuses a connection with a response where that needs no handshake, and closes it without waiting, so that a
    /// client that opens too many connections cannot occupy any.
    private static func turnAway(_ descriptor: Int32, isSecure: Bool, _ context: ServerLoop) {
        defer { granary_close(descriptor) }
        guard !isSecure else { return }
        var output = context.output.take()
        _ = HTTP1ResponseEncoder.encode(
            ProblemDetails.tooManyConnections.response, for: HTTP1Exchange(), dateLine: context.dateLine(),
            into: &output)
        _ = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        _ = granary_finish_sending(descriptor)
        context.output.recycle(&output)
    }

    /// Returns whether an error means that nothing can be accepted in this round. Other errors concern a single
    /// connection that failed before it was accepted.
    private func isOver(_ error: Int32) -> Bool {
        switch error {
        case EAGAIN: return true
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            context.log.limited(.warning, "no descriptor left for a new connection", ["error": .number(Int(error))])
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

    /// Stops watching the socket for a moment, until connections have been closed.
    private func rest() {
        // The listener may pause already when the server drains and accepts once more.
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
    /// The peer as requests describe it.
    fileprivate func model(for socket: ListeningSocket) -> HTTPPeer {
        let text = withUnsafeBytes(of: address) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return HTTPPeer(address: text, port: port, role: socket.role, isByUnixSocket: socket.isUnix)
    }
}

extension HTTPPeer {
    /// Whether the peer cannot be told from others: a program that has connected to a Unix socket.
    fileprivate var isAnonymous: Bool { isByUnixSocket && address == "unix" }
}
