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

    /// Accepts the next connection and fills in its peer. Returns a negative error number if none exists.
    typealias Accept = @Sendable (_ listener: Int32, _ peer: inout granary_peer) -> Int32

    static let acceptFromKernel: Accept = { listener, peer in granary_accept(listener, &peer) }

    private unowned let serverLoop: ServerLoop
    private let accept: Accept
    private let socket: ListeningSocket
    /// Closed to make room when no descriptor is left, so that a connection can be accepted and closed. Otherwise that
    /// connection would stay in the kernel's queue, its client would wait, and the socket would stay ready forever.
    private var spare: FileDescriptor?
    private var retry: (any EventLoopTimer)?
    /// The offset, from this loop, of the loop that got the last connection.
    private var lastOffset = -1
    private var isWatched = false
    private var isSuspended = false

    init(_ socket: ListeningSocket, serverLoop: ServerLoop, accept: @escaping Accept = Listener.acceptFromKernel) {
        self.serverLoop = serverLoop
        self.socket = socket
        self.accept = accept
        spare = FileDescriptor(opened: granary_spare_descriptor())
        super.init(descriptor: socket.descriptor)
    }

    func begin() throws(HTTPServerError) {
        // Level-triggered: a round accepts a limited number of connections, and the others have to be reported again.
        try HTTPServerError.check(serverLoop.loop.add(self, for: readiness), "watch a listening socket")
        isWatched = true
    }

    /// With EPOLLEXCLUSIVE, a connection on a socket that several loops watch wakes one of them instead of all.
    private var readiness: UInt32 { socket.isShared ? granary_readable | granary_exclusive : granary_readable }

    /// Leaves new connections in the kernel's queue until ``resume()``.
    func suspend() {
        isSuspended = true
        retry?.cancel()
        if isWatched { serverLoop.loop.remove(self) }
        isWatched = false
    }

    /// Accepts connections again.
    func resume() {
        isSuspended = false
        if !isWatched { resumeAccepting() }
    }

    /// Closes the socket. From then on clients are refused, unless another loop or another server has the socket as
    /// well.
    func end() {
        retry?.cancel()
        // Removed before it is closed: if another loop or a successor has a duplicate, the socket stays open, and with
        // it the entry in the epoll set.
        if isWatched { serverLoop.loop.remove(self) }
        isWatched = false
        granary_close(descriptor)
        spare = nil
    }

    override func becameReady(_ readiness: UInt32) {
        // The event may have been collected before the suspension.
        guard !isSuspended, !serverLoop.gauge.leavesWaiting else { return }
        for _ in 0..<Listener.acceptsPerRound {
            guard acceptNext() else { return }
        }
    }

    /// Accepts all waiting connections. The kernel would reset them if the socket were closed, although their clients
    /// have already connected successfully.
    func acceptAll() {
        // Bounded, because new clients may connect as fast as these are accepted.
        for _ in 0..<serverLoop.configuration.backlog where !acceptNext() { return }
    }

    /// Accepts one connection; returns whether there may be another.
    private func acceptNext() -> Bool {
        var peer = granary_peer()
        let accepted = accept(descriptor, &peer)
        guard accepted >= 0 else { return !endsRound(-accepted) }
        distribute(accepted, peer.model(for: socket))
        return true
    }

    /// Passes a connection to the loop that will serve it. A socket of this loop only serves it here. A socket for all
    /// loops distributes connections in turn; otherwise the loop that accepts first would end up with most of them.
    private func distribute(_ accepted: Int32, _ peer: HTTPPeer) {
        let loops = serverLoop.siblings
        guard socket.isShared, !loops.isEmpty, !serverLoop.isDraining else {
            return Listener.receive(accepted, peer, serverLoop)
        }
        lastOffset = (lastOffset + 1) % loops.count
        let target = loops[(serverLoop.loop.index + lastOffset) % loops.count]
        guard target !== serverLoop else { return Listener.receive(accepted, peer, serverLoop) }
        // The wrapper closes the socket if the other loop has ended and drops the task.
        let connection = AcceptedConnection(accepted, peer, gauge: serverLoop.gauge)
        target.loop.execute { Listener.receive(connection.take(), connection.peer, target) }
    }

    /// Reads the PROXY header of a trusted proxy's connection first; admits any other connection directly.
    private static func receive(_ descriptor: Int32, _ peer: HTTPPeer, _ serverLoop: ServerLoop) {
        guard serverLoop.configuration.proxies.contains(where: { $0.contains(peer.address) }) else {
            return admit(descriptor, peer, isCounted: false, serverLoop)
        }
        PendingProxyConnection.await(descriptor: descriptor, proxy: peer, serverLoop: serverLoop) {
            turnAway(descriptor, with: .serverFull, isSecure: peer.isSecure, serverLoop)
        } then: { [unowned serverLoop] in
            Listener.admit($0, $1, isCounted: true, serverLoop)
        }
    }

    /// Opens a connection, if its client may have another one.
    ///
    /// - Parameter isCounted: Whether it is among the connections of the server already.
    private static func admit(
        _ descriptor: Int32, _ peer: HTTPPeer, isCounted: Bool, _ serverLoop: ServerLoop
    ) {
        var clientLease: ClientLease?
        if let clientLimiter = serverLoop.clientLimiter, !peer.isAnonymous {
            clientLease = clientLimiter.admit(peer.address, now: serverLoop.loop.nanoseconds)
            guard clientLease != nil else {
                // Last, because a draining server stops when it has none.
                defer { if isCounted { serverLoop.gauge.leave() } }
                return turnAway(descriptor, with: .tooManyConnections, isSecure: peer.isSecure, serverLoop)
            }
        }
        let tls = peer.isSecure ? serverLoop.configuration.tls?.source.current : nil
        serverLoop.open(descriptor: descriptor, peer: peer, tls: tls, clientLease: clientLease, isCounted: isCounted)
    }

    /// Refuses a connection with a response where that needs no handshake, and closes it without waiting, so that a
    /// client that opens too many connections cannot occupy any.
    private static func turnAway(
        _ descriptor: Int32, with problem: ProblemDetails, isSecure: Bool, _ serverLoop: ServerLoop
    ) {
        defer { granary_close(descriptor) }
        guard !isSecure else { return }
        var output = serverLoop.output.take()
        _ = HTTP1ResponseEncoder.encode(
            problem.response, for: HTTP1Exchange(), dateLine: serverLoop.dateLine(),
            into: &output)
        // A single attempt: the server must not wait for this client, and a new socket accepts a short response.
        _ = output.withUnsafeBytes { granary_send(descriptor, $0.baseAddress, $0.count) }
        _ = granary_finish_sending(descriptor)
        serverLoop.output.recycle(&output)
    }

    /// Returns whether an error means that nothing can be accepted in this round. Other errors concern a single
    /// connection that failed before it was accepted.
    private func endsRound(_ error: Int32) -> Bool {
        switch error {
        case EAGAIN: return true
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            serverLoop.log.limited(.warning, "no descriptor left for a new connection", ["error": .number(Int(error))])
            refuseOne()
            pauseAccepting()
            return true
        default: return false
        }
    }

    private func refuseOne() {
        guard spare != nil else { return }
        // Another thread may take the freed descriptor first. Then this client waits until the pause is over.
        spare = nil
        var peer = granary_peer()
        let accepted = accept(descriptor, &peer)
        if accepted >= 0 { granary_close(accepted) }
        spare = FileDescriptor(opened: granary_spare_descriptor())
    }

    /// Stops watching the socket for a moment, until connections have been closed.
    private func pauseAccepting() {
        // The listener may pause already when the server drains and accepts once more.
        guard isWatched else { return }
        serverLoop.loop.remove(self)
        isWatched = false
        retry = serverLoop.loop.schedule(after: Listener.pause) { [unowned self] in resumeAccepting() }
    }

    private func resumeAccepting() {
        isWatched = serverLoop.loop.add(self, for: readiness) >= 0
        if !isWatched {
            retry = serverLoop.loop.schedule(after: Listener.pause) { [unowned self] in resumeAccepting() }
        }
    }
}

extension granary_peer {
    /// The peer as requests describe it.
    fileprivate func model(for socket: ListeningSocket) -> HTTPPeer {
        let text = withUnsafeBytes(of: address) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return HTTPPeer(
            address: text, port: port, role: socket.role, isByUnixSocket: socket.isUnix,
            isListenerLocal: socket.isLocal, isSecure: socket.isSecure)
    }
}

extension HTTPPeer {
    /// Whether the peer cannot be distinguished from others: a program that has connected to a Unix socket.
    fileprivate var isAnonymous: Bool { isByUnixSocket && address == "unix" }
}
