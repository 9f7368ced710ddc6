import CLinux
import Dispatch
import Glibc
import HTTPModel
import Log

/// The lifecycle of a server, independent of the type of its responders.
///
/// Sendable: `phase` and the related state are accessed only on `lifecycle`, a serial queue that is not involved in
/// serving requests.
final class ServerCore: @unchecked Sendable {
    private enum Phase {
        case new
        case serving
        case draining([@Sendable () -> Void])
        case stopping([@Sendable () -> Void])
        case stopped
    }

    /// The time in seconds that loops have to end after all connections have been closed.
    private static let loopGrace = 1.0

    private let configuration: HTTPServerConfiguration
    private let log: Log
    private let makeResponder: @Sendable (any EventLoop) -> any HTTPResponder
    private let lifecycle = DispatchQueue(label: "granary.server")
    private var phase = Phase.new
    private var loops: [ServerLoop] = []
    private var gauge: ConnectionGauge?
    private var listening: ListenerSet?
    /// The index of the loop that got the last passed connection.
    private var lastPassed = -1

    init(
        configuration: HTTPServerConfiguration, log: Log,
        makeResponder: @escaping @Sendable (any EventLoop) -> any HTTPResponder
    ) {
        self.configuration = configuration
        self.log = log
        self.makeResponder = makeResponder
    }

    // Negative for a moment while loops drain, because a loop is no longer counted after it has drained.
    var connectionCount: Int { lifecycle.sync { max(0, gauge?.connections ?? 0) } }

    var listeners: [HTTPListener] { lifecycle.sync { listening?.listeners ?? [] } }

    // Start

    func start(_ beforeAccepting: () -> Void) throws(HTTPServerError) -> HTTPServerAddress {
        let result = lifecycle.sync { () -> Result<HTTPServerAddress, HTTPServerError> in
            do throws(HTTPServerError) {
                return .success(try startOnQueue(beforeAccepting))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func startOnQueue(_ beforeAccepting: () -> Void) throws(HTTPServerError) -> HTTPServerAddress {
        guard case .new = phase else {
            throw HTTPServerError(reason: .alreadyStarted, description: "The server has been started before.")
        }
        granary_raise_descriptor_limit()
        let count = configuration.loopCount > 0 ? configuration.loopCount : Int(granary_processor_count())
        let listening = try ListenerSet.open(configuration, count: count)
        let gauge = ConnectionGauge(loops: count, limit: configuration.connectionLimit) { [weak self] in
            // On any loop, when the last connection has been closed.
            guard let self else { return }
            lifecycle.async { self.stop() }
        }
        self.gauge = gauge
        var eventLoops: [EpollEventLoop] = []
        let shares: [[ListeningSocket]]
        do throws(HTTPServerError) {
            for index in 0..<count {
                let primaryLoop = configuration.sharesThreads ? eventLoops.first : nil
                eventLoops.append(try EpollEventLoop(index: index, count: count, primaryLoop: primaryLoop))
            }
            shares = try listening.sockets(forLoops: count)
        } catch {
            listening.closeOpened()
            // A loop runs from its creation and keeps itself alive until it is stopped.
            for loop in eventLoops { loop.stop {} }
            throw error
        }
        loops = eventLoops.map { ServerLoop(loop: $0, configuration: configuration, gauge: gauge, log: log) }
        prepareLoops(listening)
        // The start can no longer fail, so the predecessor may be notified. Only afterwards are its unused sockets
        // closed.
        beforeAccepting()
        for socket in listening.abandoned { socket.abandon() }
        listen(shares)
        phase = .serving
        self.listening = listening
        for listener in listening.listeners {
            log(.info, "listening", ["listener": .text("\(listener)"), "loops": .number(count)])
        }
        if configuration.tls != nil, !listening.listeners.contains(where: \.isSecure) {
            log(.warning, "certificates are configured, but no listener uses TLS")
        }
        return listening.listeners[0].address
    }

    /// Lets every loop create its responder, and waits for all of them. A connection must not arrive on a loop that has
    /// no responder yet.
    private func prepareLoops(_ listening: ListenerSet) {
        let ready = DispatchGroup()
        let siblings = loops
        let clientLimiter = configuration.clientLimiter
        let hosts = HostPolicy(configuration, listeners: listening.listeners)
        let securePort = listening.securePort
        for serverLoop in loops {
            ready.enter()
            serverLoop.loop.execute { [makeResponder] in
                serverLoop.siblings = siblings
                serverLoop.clientLimiter = clientLimiter
                serverLoop.securePort = securePort
                serverLoop.hosts = hosts
                serverLoop.begin(makeResponder(serverLoop.loop))
                ready.leave()
            }
        }
        ready.wait()
    }

    private func listen(_ sockets: [[ListeningSocket]]) {
        for (serverLoop, sockets) in zip(loops, sockets) {
            serverLoop.loop.execute { [log] in
                for socket in sockets {
                    do throws(HTTPServerError) {
                        try serverLoop.listen(on: socket)
                    } catch {
                        log(.error, "a loop cannot accept connections", ["error": .text(error.description)])
                        granary_close(socket.descriptor)
                    }
                }
            }
        }
    }

    /// Returns duplicates of the listening sockets for a successor, or `nil` if the server is not serving.
    func socketsToHandOver() throws(HTTPServerError) -> InheritedSockets? {
        try lifecycle.sync { () -> Result<InheritedSockets?, HTTPServerError> in
            // While the server is serving, none of the sockets has been closed.
            guard case .serving = phase, let listening else { return .success(nil) }
            do throws(HTTPServerError) {
                return .success(try listening.duplicates(origin: configuration.inherited?.origin))
            } catch {
                return .failure(error)
            }
        }
        .get()
    }

    /// Leaves new connections in the kernel's queue, or accepts them again.
    func setAccepting(_ isAccepting: Bool) {
        lifecycle.async { [self] in
            guard case .serving = phase else { return }
            for serverLoop in loops { serverLoop.loop.execute { serverLoop.setAccepting(isAccepting) } }
        }
    }

    /// Serves a connection of the server before this one. Closes it if its client is not described or this server is not serving.
    func serve(passed descriptor: Int32) {
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0, let peer = PassedConnection.peer(of: descriptor) else {
            log(.warning, "a request of the server before this one could not be read")
            return granary_close(descriptor)
        }
        lifecycle.async { [self] in
            guard case .serving = phase, let gauge else { return granary_close(descriptor) }
            lastPassed = (lastPassed + 1) % loops.count
            let serverLoop = loops[lastPassed]
            let connection = AcceptedConnection(descriptor, peer, gauge: gauge)
            serverLoop.loop.execute {
                // Its client is counted by the other server.
                serverLoop.open(descriptor: connection.take(), peer: connection.peer, tls: nil, clientLease: nil)
            }
        }
    }

    // End

    /// Shuts down. If a successor has the sockets too, connections that wait to be accepted are left to it.
    func shutdown(hasSuccessor: Bool = false, _ completion: @escaping @Sendable () -> Void) {
        lifecycle.async { [self] in
            switch phase {
            case .new:
                phase = .stopped
                completion()
            case .serving:
                phase = .draining([completion])
                drain(hasSuccessor: hasSuccessor)
            case .draining(let waiting): phase = .draining(waiting + [completion])
            case .stopping(let waiting): phase = .stopping(waiting + [completion])
            case .stopped: completion()
            }
        }
    }

    private func drain(hasSuccessor: Bool) {
        log(.info, "draining", ["connections": .number(gauge?.connections ?? 0)])
        // Before the loops stop accepting: otherwise a client could still connect to a socket that is about to be
        // closed.
        if hasSuccessor { gauge?.leaveWaiting() } else { listening?.removeFiles() }
        for serverLoop in loops { serverLoop.loop.execute { serverLoop.drain(hasSuccessor: hasSuccessor) } }
        let seconds = Double(configuration.drainTimeout.wholeNanoseconds) / 1e9
        lifecycle.asyncAfter(deadline: .now() + seconds) { [self] in stop() }
    }

    private func stop() {
        // Called by the last connection and by the timeout; the second call finds another phase.
        guard case .draining(let waiting) = phase else { return }
        phase = .stopping(waiting)
        let stopped = DispatchGroup()
        for serverLoop in loops {
            stopped.enter()
            serverLoop.loop.execute { serverLoop.end() }
            serverLoop.loop.stop {
                serverLoop.dismantle()
                stopped.leave()
            }
        }
        stopped.notify(queue: lifecycle) { [self] in finish() }
        lifecycle.asyncAfter(deadline: .now() + ServerCore.loopGrace) { [self] in abandonLoops() }
    }

    /// Continues without the remaining loops. A responder that never returns blocks its loop forever; the server does
    /// not wait for it.
    private func abandonLoops() {
        guard case .stopping = phase else { return }
        log(.error, "a loop did not stop in time and was abandoned")
        finish()
    }

    private func finish() {
        guard case .stopping(let waiting) = phase else { return }
        phase = .stopped
        loops = []
        log(.info, "stopped")
        for completion in waiting { completion() }
    }
}
