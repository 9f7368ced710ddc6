public import HTTPModel
public import HTTPServer
public import Log

/// A server in memory, without threads, ports and time: it runs while its clients wait for it or when it is told to, on the
/// test's thread, and time passes only by ``advance(by:)``. So what takes a minute is tested in no time, nothing depends
/// on what else the machine does, and the same bytes have the same effect in every run.
///
/// Everything above the sockets is the server that runs in production: loops, connections, TLS, HTTP/1.1 and HTTP/2. The
/// sockets are pairs in memory, so what belongs to TCP (its options, its own patience) is to be tested over the network,
/// with ``HTTPTestServer``. Confined to one thread at a time.
public final class HTTPVirtualServer: HTTPTestHost {
    private let server: VirtualServer
    private var connections = 0

    /// Starts a server with one loop. The closures are called while it runs: `placement` says on which loop a request is to
    /// be answered, `drain` that the server goes down.
    public init(
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }, log: Log = .silent,
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil },
        drain: @escaping @Sendable (any EventLoop) -> Void = { _ in }, respond: @escaping HTTPTestServer.Respond
    ) throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 1
        configure(&configuration)
        server = try VirtualServer(configuration: configuration, log: log) { loop in
            ClosureResponder(loop: loop, placement: placement, drain: drain, respond: respond)
        }
    }

    // Clients

    /// A client that is connected in cleartext, from `192.0.2.1`.
    public func connect(receiveBuffer: Int) throws -> HTTPTestClient {
        try connect(from: nextPeer(), isSecure: false, receiveBuffer: receiveBuffer)
    }

    /// A client that is connected to where TLS is spoken, from `192.0.2.1`, and has said nothing.
    public func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient {
        try connect(from: nextPeer(), isSecure: true, receiveBuffer: receiveBuffer)
    }

    /// A client of an address of its own, on a loop.
    public func connect(
        from peer: HTTPPeer, on loop: Int = 0, isSecure: Bool = false, receiveBuffer: Int = 0
    ) throws -> HTTPTestClient {
        let socket = try server.connect(isSecure: isSecure, peer: peer, loop: loop, receiveBuffer: receiveBuffer)
        return HTTPTestClient(over: HTTPTestSocket(socket, of: self))
    }

    private func nextPeer() -> HTTPPeer {
        connections += 1
        return HTTPPeer(address: "192.0.2.1", port: UInt16(truncatingIfNeeded: 1024 + connections))
    }

    func reset(_ socket: VirtualSocket) { server.reset(socket) }

    // Time

    /// Lets time pass, stopping at everything that is due on the way.
    public func advance(by duration: Duration) { server.advance(by: duration) }

    /// Runs the server until nothing more happens unless a client or time goes on.
    public func run() { server.run() }

    /// Runs one round of every loop: what the server does between two looks at its clock. Answers whether there was
    /// anything to do.
    @discardableResult
    public func runRound() -> Bool { server.runRound() }

    /// How many rounds have been run: a measure of latency that does not depend on the machine.
    public var rounds: Int { server.rounds }

    /// What time it is.
    public var now: MonotonicTime { server.now }

    // The end

    /// How many connections it has, those of proxies that have not said yet for whom they come among them.
    public var connectionCount: Int { server.connectionCount }

    /// Has the server go down as `SIGTERM` would: connections that wait for nothing are closed, the others are after their
    /// answer.
    public func drain() { server.drain() }

    /// Has the server go down while another one serves at its place: connections that wait for nothing have half of the time
    /// for draining to send another request.
    public func handOver() { server.drain(hasSuccessor: true) }

    /// Closes everything at once, as the server does when its time to drain is over.
    public func end() { server.end() }
}
