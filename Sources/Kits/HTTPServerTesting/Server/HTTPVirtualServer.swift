public import HTTPModel
public import HTTPServer
public import Log

/// A deterministic in-memory server without threads, ports and real time.
///
/// The server runs on the test's thread while a client waits or the test calls ``run()``, and its clock advances only
/// with ``advance(by:)``. So timeouts are tested without waiting, and every run has the same result.
///
/// Everything above the sockets is production code: loops, connections, TLS, HTTP/1.1 and HTTP/2. The sockets are
/// in-memory pairs, so test TCP options and timeouts with ``HTTPTestServer``. Use a server from one thread at a time.
public final class HTTPVirtualServer: HTTPTestHost {
    private let server: VirtualServer
    private var connections = 0

    /// Creates a server with one loop.
    ///
    /// - Parameters:
    ///   - configure: Changes the configuration before the server starts.
    ///   - log: The log of the server.
    ///   - placement: Returns the index of the loop that must respond to a request.
    ///   - timePerRequest: How far the clock advances with each request, as if the response took that long.
    ///   - drain: Called for each loop when the server shuts down.
    ///   - respond: Responds to a request.
    public init(
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }, log: Log = .silent,
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil }, timePerRequest: Duration = .zero,
        drain: @escaping @Sendable (any EventLoop) -> Void = { _ in }, respond: @escaping HTTPTestServer.Respond
    ) throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 1
        configure(&configuration)
        server = try VirtualServer(configuration: configuration, log: log, timePerRequest: timePerRequest) { loop in
            ClosureResponder(loop: loop, placement: placement, drain: drain, respond: respond)
        }
    }

    // Clients

    /// Returns a connected cleartext client with the address `192.0.2.1`.
    public func connect(receiveBuffer: Int) throws -> HTTPTestClient {
        try connect(from: nextPeer(), isSecure: false, receiveBuffer: receiveBuffer)
    }

    /// Returns a client with the address `192.0.2.1` that is connected to the TLS port and has sent nothing.
    public func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient {
        try connect(from: nextPeer(), isSecure: true, receiveBuffer: receiveBuffer)
    }

    /// Returns a client with a specific address, connected to a specific loop.
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

    func close(_ socket: VirtualSocket) { server.close(socket) }

    // Time

    /// Advances the clock and runs the server at each timer that is due.
    public func advance(by duration: Duration) { server.advance(by: duration) }

    /// Runs the server until it waits for a client or a timer.
    public func run() { server.run() }

    /// Runs one iteration of every loop. Returns whether there was anything to do.
    @discardableResult
    public func runRound() -> Bool { server.runRound() }

    /// The number of iterations that have run, as a measure of latency that does not depend on the machine.
    public var rounds: Int { server.rounds }

    /// The current time of the virtual clock.
    public var now: MonotonicTime { server.now }

    // The end

    /// The number of open connections, including proxy connections whose PROXY header has not arrived yet.
    public var connectionCount: Int { server.connectionCount }

    /// Starts a shutdown as `SIGTERM` would: idle connections are closed immediately, the others after their response.
    public func drain() { server.drain() }

    /// Starts a shutdown with a successor: idle connections can send another request during half of the drain timeout.
    public func handOver() { server.drain(hasSuccessor: true) }

    /// Closes all connections immediately, as the server does after the drain timeout.
    public func end() { server.end() }
}
