import Dispatch
public import HTTPModel
public import HTTPServer
public import Log

/// A server on a free port of this machine, whose responders are closures.
public final class HTTPTestServer: HTTPTestHost, Sendable {
    /// Answers a request on the loop that is given with it.
    public typealias Respond = @Sendable (HTTPRequest, any EventLoop) -> HTTPAnswer

    /// The port that it listens on.
    public let port: UInt16
    private let server: HTTPServer<ClosureResponder>
    private let roster: LoopRoster

    /// Starts a server with two loops, which gives what is under way a second once it goes down, and its clients an hour for
    /// whatever they do, since a busy machine may keep a test waiting anywhere: a test of a deadline configures that deadline.
    /// The closures are called on its loops: `placement` says on which of them a request is to be answered, `drain` that the
    /// server goes down.
    public init(
        configure: (inout HTTPServerConfiguration) -> Void = { _ in }, log: Log = .silent,
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil },
        drain: @escaping @Sendable (any EventLoop) -> Void = { _ in }, respond: @escaping Respond
    ) throws {
        var configuration = HTTPServerConfiguration(port: 0)
        configuration.loopCount = 2
        configuration.drainTimeout = .seconds(1)
        configuration.headTimeout = .seconds(3600)
        configuration.bodyTimeout = .seconds(3600)
        configuration.idleTimeout = .seconds(3600)
        configure(&configuration)
        let roster = LoopRoster()
        self.roster = roster
        server = HTTPServer(configuration: configuration, log: log) { loop in
            roster.add(loop)
            return ClosureResponder(loop: loop, placement: placement, drain: drain, respond: respond)
        }
        port = try server.start().port
    }

    /// A client that is connected to it.
    public func connect(receiveBuffer: Int) throws -> HTTPTestClient {
        try HTTPTestClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// The port that it speaks TLS on; 0 where none was configured.
    public var securePort: UInt16 { server.secureAddress?.port ?? 0 }

    /// A client that is connected to its port for TLS, and has said nothing.
    public func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient {
        try HTTPTestClient(port: securePort, receiveBuffer: receiveBuffer)
    }

    /// Where it listens and what for.
    public var listeners: [HTTPListener] { server.listeners }

    /// A client that is connected to one of its listeners, and has agreed with it over TLS where that is spoken there.
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

    /// How many connections it has.
    public var connectionCount: Int { server.connectionCount }

    /// Does something on a loop and waits for the result. Not to be called on one.
    public func onLoop<Value: Sendable>(
        _ index: Int = 0, _ work: @escaping @Sendable (any EventLoop) -> Value
    ) async -> Value {
        let loop = roster.loop(index)
        return await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: work(loop)) }
        }
    }

    /// Takes it down as `SIGTERM` would, and returns once it is.
    public func shutdown() async {
        await server.shutdown()
    }

    /// The listening sockets once more, for a server that is to take over.
    public func socketsToHandOver() throws -> InheritedSockets? {
        try server.socketsToHandOver()
    }

    /// Takes it down with another server on its sockets, and returns once it is.
    public func handOver() async {
        await server.handOver()
    }

    /// Starts taking it down with another server on its sockets; calls the closure, from some thread, once it is.
    public func beginHandingOver(_ completion: @escaping @Sendable () -> Void = {}) {
        server.handOver(completion)
    }

    /// Starts taking it down; calls the closure, from some thread, once it is.
    public func beginShutdown(_ completion: @escaping @Sendable () -> Void = {}) {
        server.shutdown(completion)
    }
}

/// The loops of a server by index.
///
/// Sendable: `loops` is touched on the queue only.
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
