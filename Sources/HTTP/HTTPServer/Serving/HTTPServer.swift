import CLinux
public import HTTPModel
public import Log

/// A server for HTTP/1.1 and HTTP/2. It listens on any number of addresses, in cleartext and with TLS, and runs one
/// event loop per processor. Each loop has its own responder.
///
/// It serves from ``start(beforeAccepting:)`` until ``shutdown()`` has completed, whether or not a reference to it exists.
public final class HTTPServer<Responder: HTTPResponder>: Sendable {
    private let core: ServerCore

    /// Creates a server that is not running. The closure is called once on each loop when the server starts.
    public init(
        configuration: HTTPServerConfiguration, log: Log = .silent,
        makeResponder: @escaping @Sendable (any EventLoop) -> Responder
    ) {
        core = ServerCore(configuration: configuration, log: log) { makeResponder($0) }
    }

    /// Starts to listen and returns the address of the first listener. Blocks until every loop has its responder; do
    /// not call it on a loop.
    ///
    /// - Parameter beforeAccepting: Called when the start can no longer fail. No connection is accepted before it
    ///   returns. A server that takes over the sockets of a predecessor notifies it here.
    /// - Throws: An error if the server cannot listen, for example because an address is in use. This includes
    ///   addresses that another server shares among its own loops.
    @discardableResult
    public func start(beforeAccepting: () -> Void = {}) throws(HTTPServerError) -> HTTPServerAddress {
        try core.start(beforeAccepting)
    }

    /// Shuts down: accepts no more connections, ends the streams, and completes the requests in progress. Returns when
    /// the last connection is closed, or after `drainTimeout`, or a second later if a responder does not return.
    /// Further calls also wait until then.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            core.shutdown { continuation.resume() }
        }
    }

    /// Shuts down like ``shutdown()``, and calls the closure on an arbitrary thread when that is done.
    public func shutdown(_ completion: @escaping @Sendable () -> Void) {
        core.shutdown(completion)
    }

    /// Returns duplicates of the listening sockets for a successor, or `nil` if the server is not serving. The caller
    /// closes them.
    ///
    /// The successor is started with these sockets. Once it is about to accept connections, call ``handOver()`` on this
    /// server.
    public func socketsToHandOver() throws(HTTPServerError) -> InheritedSockets? {
        try core.socketsToHandOver()
    }

    /// Leaves new connections in the queues of the listening sockets, so that they wait. Existing connections are served.
    public func suspendAccepting() {
        core.setAccepting(false)
    }

    /// Accepts connections again.
    public func resumeAccepting() {
        core.setAccepting(true)
    }

    /// Serves a connection that the server before this one has passed: one request of a client of that server, with the address,
    /// the certificate and the other properties of the connection on which it has arrived. Does not wait.
    ///
    /// - Parameter descriptor: The connection, which then belongs to this server.
    package func serve(passed descriptor: Int32) {
        core.serve(passed: descriptor)
    }

    /// Shuts down like ``shutdown()`` while a successor uses the same sockets: connections that wait to be accepted are
    /// left to the successor, and the files of Unix sockets stay.
    public func handOver() async {
        await withCheckedContinuation { continuation in
            handOver { continuation.resume() }
        }
    }

    /// Shuts down like ``handOver()``, and calls the closure on an arbitrary thread when that is done.
    public func handOver(_ completion: @escaping @Sendable () -> Void) {
        core.shutdown(hasSuccessor: true, completion)
    }

    /// The listeners, with their actual ports; empty before ``start(beforeAccepting:)``. Usable from any thread.
    public var listeners: [HTTPListener] { core.listeners }

    /// The address of the first TLS listener, or `nil` if none exists or the server has not been started. Usable from
    /// any thread.
    public var secureAddress: HTTPServerAddress? { core.listeners.first(where: \.isSecure)?.address }

    /// The number of open connections. Usable from any thread.
    public var connectionCount: Int { core.connectionCount }
}

/// An address that a server listens on.
public struct HTTPServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The numeric address, or the path of a Unix socket.
    public let host: String
    /// The port: never 0, except for a Unix socket.
    public let port: UInt16
    /// Whether it is the address of a Unix socket.
    public let isUnix: Bool

    init(host: String, port: UInt16) {
        (self.host, self.port, isUnix) = (host, port, false)
    }

    init(unixSocket path: String) {
        (host, port, isUnix) = (path, 0, true)
    }

    /// The address as in a URL: `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/granary.sock`.
    public var description: String {
        if isUnix { return "unix:\(host)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
