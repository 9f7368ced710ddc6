import CLinux
import Glibc
package import HTTPModel
package import Log

/// A server without threads, ports and real time. Its loops run on request, on the calling thread. Its clients are the
/// other ends of socket pairs, and its clock advances only when the test advances it. Everything else is the production
/// server, so that test results apply to it. For the test kit; confined to one thread.
package final class VirtualServer {
    /// The number of rounds after which a server that is still busy is considered broken.
    private static let maxRounds = 1_000_000
    /// Not 0, so that times before the start are representable.
    private static let start: UInt64 = 1_000_000_000_000

    private let clock = ManualClock(nanoseconds: start)
    private let serverLoops: [ServerLoop]
    private let gauge: ConnectionGauge
    private let arrivals: [Arrivals]
    private var listeners: [[Listener]] = []
    /// The number of rounds that all loops together have run.
    package private(set) var rounds = 0
    package private(set) var hasEnded = false

    /// The connections that wait to be accepted by one loop.
    ///
    /// Sendable because the closures of loops must be. It is accessed only on the server's single thread.
    private final class Arrivals: @unchecked Sendable {
        weak var listener: Listener?
        var waiting: [(descriptor: Int32, peer: granary_peer)] = []

        func next(_ peer: inout granary_peer) -> Int32 {
            guard !waiting.isEmpty else { return -EAGAIN }
            let first = waiting.removeFirst()
            peer = first.peer
            return first.descriptor
        }
    }

    /// - Parameter timePerRequest: How far the clock advances with each request, while the round goes on.
    package init(
        configuration: HTTPServerConfiguration, log: Log, timePerRequest: Duration = .zero,
        makeResponder: (any EventLoop) -> any HTTPResponder
    ) throws(HTTPServerError) {
        let count = max(1, configuration.loopCount)
        gauge = ConnectionGauge(loops: count, limit: configuration.connectionLimit) {}
        var serverLoops: [ServerLoop] = []
        for index in 0..<count {
            let loop = try EpollEventLoop(index: index, count: count)
            loop.takeManualControl(clock)
            serverLoops.append(ServerLoop(loop: loop, configuration: configuration, gauge: gauge, log: log))
        }
        self.serverLoops = serverLoops
        arrivals = serverLoops.flatMap { _ in [Arrivals(), Arrivals()] }
        let clientLimiter = configuration.clientLimiter
        for serverLoop in serverLoops {
            serverLoop.siblings = serverLoops
            serverLoop.clientLimiter = clientLimiter
            serverLoop.securePort = configuration.tls?.port
            serverLoop.begin(SlowResponder(makeResponder(serverLoop.loop), timePerRequest, clock))
        }
        listeners = serverLoops.enumerated().map { index, serverLoop in
            [false, true].map { (isSecure: Bool) -> Listener in
                let arrivals = arrivals[2 * index + (isSecure ? 1 : 0)]
                let spare = granary_spare_descriptor()
                let place = HTTPListener(
                    .address(host: configuration.host, port: configuration.port), isSecure: isSecure)
                let socket = ListeningSocket(spare, of: place, isShared: false)
                let listener = Listener(socket, serverLoop: serverLoop) { arrivals.next(&$1) }
                arrivals.listener = listener
                return listener
            }
        }
    }

    deinit {
        end()
    }

    package var connectionCount: Int { serverLoops.reduce(0) { $0 + $1.loop.allHandlers.count } }

    package var now: MonotonicTime { MonotonicTime(nanoseconds: clock.nanoseconds) }

    // Time

    /// Runs one round of every loop; returns whether something happened.
    @discardableResult
    package func runRound() -> Bool {
        rounds += 1
        var isBusy = false
        for serverLoop in serverLoops where serverLoop.loop.runRoundManually() { isBusy = true }
        return isBusy
    }

    /// Runs rounds until only a client or the clock can cause more work.
    package func run() {
        for _ in 0..<VirtualServer.maxRounds where !runRound() { return }
        preconditionFailure("the server is still busy after \(VirtualServer.maxRounds) rounds")
    }

    /// Advances the clock, stopping at every time at which an entry is due.
    package func advance(by duration: Duration) {
        let end = clock.nanoseconds + UInt64(max(0, duration.wholeNanoseconds))
        run()
        while let next = serverLoops.map(\.loop.nextTime).min(), next <= end {
            clock.nanoseconds = max(clock.nanoseconds, next)
            run()
        }
        clock.nanoseconds = end
        run()
    }

    // Clients

    /// Connects a client to a loop; returns the client's end, which is non-blocking. The loop accepts it in the next
    /// round.
    package func connect(
        isSecure: Bool, peer: HTTPPeer, loop: Int, receiveBuffer: Int
    ) throws(HTTPServerError) -> VirtualSocket {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { pointer in
            pointer.withMemoryRebound(to: Int32.self, capacity: 2) { granary_memory_pair($0, Int32(receiveBuffer)) }
        }
        try HTTPServerError.check(result, "create a socket pair")
        let arrivals = arrivals[2 * loop + (isSecure ? 1 : 0)]
        arrivals.waiting.append((ends.1, granary_peer(peer)))
        serverLoops[loop].loop.execute { arrivals.listener?.becameReady(granary_readable) }
        return VirtualSocket(client: ends.0, server: ends.1, identity: granary_socket_identity(ends.1))
    }

    /// Closes a client's end so that the server sees a reset.
    package func reset(_ socket: VirtualSocket) {
        granary_reset_pair(socket.client, socket.server, socket.identity)
    }

    /// Closes a client's end.
    package func close(_ socket: VirtualSocket) {
        granary_close_pair(socket.client, socket.server, socket.identity)
    }

    // End

    /// Shuts down as on `SIGTERM`: no new connections, and the pending requests are completed. Optionally as a server
    /// with a successor.
    package func drain(hasSuccessor: Bool = false) {
        if hasSuccessor { gauge.leaveWaiting() }
        for serverLoop in serverLoops { serverLoop.loop.execute { serverLoop.drain(hasSuccessor: hasSuccessor) } }
        run()
    }

    /// Closes everything immediately. The server cannot be used afterwards.
    package func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if !serverLoops.contains(where: \.isDraining) { for listener in listeners.joined() { listener.end() } }
        for serverLoop in serverLoops {
            serverLoop.loop.execute { serverLoop.end() }
            serverLoop.loop.stop { serverLoop.dismantle() }
        }
        while runRound() {}
    }
}

/// A responder whose requests take time on a manual clock.
private final class SlowResponder: HTTPResponder {
    private let responder: any HTTPResponder
    private let timePerRequest: UInt64
    private let clock: ManualClock

    init(_ responder: any HTTPResponder, _ timePerRequest: Duration, _ clock: ManualClock) {
        self.responder = responder
        self.timePerRequest = UInt64(max(0, timePerRequest.wholeNanoseconds))
        self.clock = clock
    }

    func placement(of request: HTTPRequest) -> Int? { responder.placement(of: request) }

    func respond(to request: HTTPRequest) -> HTTPAnswer {
        clock.nanoseconds += timePerRequest
        return responder.respond(to: request)
    }

    func addPolicyFields(to response: inout HTTPResponse, for fields: HTTPFields, from peer: HTTPPeer) {
        responder.addPolicyFields(to: &response, for: fields, from: peer)
    }

    func drain() { responder.drain() }
}

/// A client's connection to a virtual server.
package struct VirtualSocket {
    /// The client's end.
    package let client: Int32
    /// The server's end, which belongs to the server.
    let server: Int32
    /// Distinguishes the server's end from a later socket with the same descriptor.
    let identity: UInt64

    package var isClosedByServer: Bool { granary_socket_identity(server) != identity }
}

extension granary_peer {
    init(_ peer: HTTPPeer) {
        self.init()
        port = peer.port
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.copyBytes(from: peer.address.utf8.prefix(bytes.count - 1))
        }
    }
}
