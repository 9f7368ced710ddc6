import Dispatch
public import HTTPModel
public import HTTPServer
public import Log

/// A server on a free port of the loopback interface, whose responders are closures.
public final class HTTPTestServer: HTTPTestHost, Sendable {
    /// Responds to a request. Called on the loop that is passed.
    public typealias Respond = @Sendable (HTTPRequest, any EventLoop) -> HTTPAnswer

    /// The cleartext port.
    public let port: UInt16
    private let server: HTTPServer<ClosureResponder>
    private let roster: LoopRoster

    /// Starts a server with two loops, a drain timeout of one second, and timeouts of one hour for clients, including the
    /// TLS handshake. The timeouts are long because a busy machine can delay a test anywhere; a test of a timeout
    /// configures that timeout.
    ///
    /// - Parameters:
    ///   - configure: Changes the configuration before the server starts.
    ///   - log: The log of the server.
    ///   - placement: Returns the index of the loop that must respond to a request. Called on the loops.
    ///   - drain: Called on each loop when the server shuts down.
    ///   - respond: Responds to a request. Called on the loops.
    public init(
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }, log: Log = .silent,
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil },
        drain: @escaping @Sendable (any EventLoop) -> Void = { _ in }, respond: @escaping Respond
    ) throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 2
        configuration.drainTimeout = .seconds(1)
        configuration.extendTimeouts()
        configure(&configuration)
        configuration.extendHandshakeTimeout()
        let roster = LoopRoster()
        self.roster = roster
        server = HTTPServer(configuration: configuration, log: log) { loop in
            roster.add(loop)
            return ClosureResponder(loop: loop, placement: placement, drain: drain, respond: respond)
        }
        port = try server.start().port
    }

    /// Returns a connected cleartext client.
    public func connect(receiveBuffer: Int) throws -> HTTPTestClient {
        try HTTPTestClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// The TLS port, or 0 if TLS is not configured.
    public var securePort: UInt16 { server.secureAddress?.port ?? 0 }

    /// Returns a client that is connected to the TLS port and has sent nothing.
    public func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient {
        try HTTPTestClient(port: securePort, receiveBuffer: receiveBuffer)
    }

    /// The listeners of the server.
    public var listeners: [HTTPListener] { server.listeners }

    /// Returns a client that is connected to a listener and has completed the TLS handshake if the listener uses TLS.
    public func connect(
        to listener: HTTPListener, _ options: TLSTestOptions = TLSTestOptions()
    ) throws -> HTTPTestClient {
        let client =
            switch listener.place {
            case .address(let host, let port): try HTTPTestClient(port: port, host: host)
            case .unix(let path, _): try HTTPTestClient(unixSocket: path)
            }
        if listener.isSecure { try client.beginTLS(options) }
        return client
    }

    /// The number of open connections.
    public var connectionCount: Int { server.connectionCount }

    /// Runs a closure on a loop and returns its result. Must not be called on a loop.
    public func onLoop<Value: Sendable>(
        _ index: Int = 0, _ work: @escaping @Sendable (any EventLoop) -> Value
    ) async -> Value {
        let loop = roster.loop(index)
        return await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: work(loop)) }
        }
    }

    /// Shuts the server down as `SIGTERM` would, and waits until it has stopped.
    public func shutdown() async {
        await server.shutdown()
    }

    /// Returns copies of the listening sockets for a server that takes over.
    public func socketsToHandOver() throws -> InheritedSockets? {
        try server.socketsToHandOver()
    }

    /// Shuts the server down while another server uses its sockets, and waits until it has stopped.
    public func handOver() async {
        await server.handOver()
    }

    /// Starts to shut the server down while another server uses its sockets. The completion is called on an arbitrary
    /// thread.
    public func beginHandingOver(_ completion: @escaping @Sendable () -> Void = {}) {
        server.handOver(completion)
    }

    /// Starts to shut the server down. The completion is called on an arbitrary thread.
    public func beginShutdown(_ completion: @escaping @Sendable () -> Void = {}) {
        server.shutdown(completion)
    }
}

/// The loops of a server by index.
///
/// Sendable because `loops` is accessed only on the queue.
private final class LoopRoster: @unchecked Sendable {
    private let queue = DispatchQueue(label: "granary.testing.loops")
    private var loops: [Int: any EventLoop] = [:]

    func add(_ loop: any EventLoop) {
        queue.sync { loops[loop.index] = loop }
    }

    func loop(_ index: Int) -> any EventLoop {
        guard let loop = queue.sync(execute: { loops[index] }) else {
            preconditionFailure("the server has no loop \(index)")
        }
        return loop
    }
}
