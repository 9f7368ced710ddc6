import CLinux
import Glibc
package import HTTPModel
package import Log

/// A server without threads, ports and time: its loops run when they are told to, on the thread that tells them, its clients
/// are the other ends of socket pairs, and its clock stands still until it is moved. All else is the server that runs in
/// production, so that what is seen here holds there. For the test kit; confined to one thread.
package final class VirtualServer {
    /// Rounds after which a server that never comes to rest is held to be broken.
    private static let mostRounds = 1_000_000
    /// Not 0, so that times before the start can be told.
    private static let start: UInt64 = 1_000_000_000_000

    private let clock = ManualClock(nanoseconds: start)
    private let contexts: [ServerLoop]
    private let gauge: ConnectionGauge
    private let arrivals: [Arrivals]
    private var listeners: [[Listener]] = []
    /// How many rounds all loops together have run.
    package private(set) var rounds = 0
    package private(set) var hasEnded = false

    /// Connections that wait to be accepted by one loop.
    ///
    /// Sendable, as the closures that loops are given have to be: it is touched on the server's one thread.
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

    package init(
        configuration: HTTPServerConfiguration, log: Log, makeResponder: (any EventLoop) -> any HTTPResponder
    ) throws(HTTPServerError) {
        let count = max(1, configuration.loopCount)
        gauge = ConnectionGauge(loops: count, limit: configuration.connectionLimit) {}
        var contexts: [ServerLoop] = []
        for index in 0..<count {
            let loop = try EpollEventLoop(index: index, count: count)
            loop.takeManualControl(clock)
            contexts.append(ServerLoop(loop: loop, configuration: configuration, gauge: gauge, log: log))
        }
        self.contexts = contexts
        arrivals = contexts.flatMap { _ in [Arrivals(), Arrivals()] }
        let clientLimiter = configuration.clientLimiter
        for context in contexts {
            context.siblings = contexts
            context.clientLimiter = clientLimiter
            context.securePort = configuration.tls?.port
            context.begin(makeResponder(context.loop))
        }
        listeners = contexts.enumerated().map { index, context in
            [false, true].map { (isSecure: Bool) -> Listener in
                let arrivals = arrivals[2 * index + (isSecure ? 1 : 0)]
                let spare = granary_spare_descriptor()
                let place = HTTPListener(
                    .address(host: configuration.host, port: configuration.port), isSecure: isSecure)
                let socket = ListeningSocket(spare, of: place, isShared: false)
                let listener = Listener(socket, context: context) { arrivals.next(&$1) }
                arrivals.listener = listener
                return listener
            }
        }
    }

    deinit {
        end()
    }

    /// How many connections there are.
    package var connectionCount: Int { contexts.reduce(0) { $0 + $1.loop.allHandlers.count } }

    /// The server's time.
    package var now: MonotonicTime { MonotonicTime(nanoseconds: clock.nanoseconds) }

    // Time

    /// Runs one round of every loop; answers whether something happened.
    @discardableResult
    package func runRound() -> Bool {
        rounds += 1
        var isBusy = false
        for context in contexts where context.loop.runRoundManually() { isBusy = true }
        return isBusy
    }

    /// Runs until nothing more happens without a client or time.
    package func run() {
        for _ in 0..<VirtualServer.mostRounds where !runRound() { return }
        preconditionFailure("the server has not come to rest")
    }

    /// Lets time pass, stopping at everything that is due on the way.
    package func advance(by duration: Duration) {
        let end = clock.nanoseconds + UInt64(max(0, duration.wholeNanoseconds))
        run()
        while let next = contexts.map(\.loop.nextTime).min(), next <= end {
            clock.nanoseconds = max(clock.nanoseconds, next)
            run()
        }
        clock.nanoseconds = end
        run()
    }

    // Clients

    /// Connects a client to a loop; answers the client's end, which does not block. It is accepted in the next round.
    package func connect(
        isSecure: Bool, peer: HTTPPeer, loop: Int, receiveBuffer: Int
    ) throws(HTTPServerError) -> VirtualSocket {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { pointer in
            pointer.withMemoryRebound(to: Int32.self, capacity: 2) { granary_memory_pair($0, Int32(receiveBuffer)) }
        }
        try HTTPServerError.check(result, "make a pair of sockets")
        let arrivals = arrivals[2 * loop + (isSecure ? 1 : 0)]
        arrivals.waiting.append((ends.1, granary_peer(peer)))
        contexts[loop].loop.execute { arrivals.listener?.becameReady(granary_readable) }
        return VirtualSocket(client: ends.0, server: ends.1, identity: granary_socket_identity(ends.1))
    }

    /// Breaks a client's end off, so that the server's sees a reset.
    package func reset(_ socket: VirtualSocket) {
        granary_reset_pair(socket.client, socket.server, socket.identity)
    }

    // End

    /// Goes down as `SIGTERM` has a server do: nothing new, and what is under way ends; or as one that has a successor.
    package func drain(hasSuccessor: Bool = false) {
        for context in contexts { context.loop.execute { context.drain(hasSuccessor: hasSuccessor) } }
        run()
    }

    /// Closes everything at once. It cannot be used any more.
    package func end() {
        guard !hasEnded else { return }
        hasEnded = true
        for listener in listeners.joined() where !isDraining { listener.end() }
        for context in contexts {
            context.loop.execute { context.closeAll() }
            context.loop.stop { context.dismantle() }
        }
        while runRound() {}
    }

    private var isDraining: Bool { contexts.contains(where: \.isDraining) }
}

/// A client's connection of a virtual server.
package struct VirtualSocket {
    /// The client's end.
    package let client: Int32
    /// The server's end, which belongs to the server.
    let server: Int32
    /// What tells the server's end from another that has got its number since.
    let identity: UInt64
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
