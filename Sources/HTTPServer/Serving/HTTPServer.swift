import CLinux
import Dispatch
public import HTTPModel
public import Log

/// A server of HTTP/1.1 and HTTP/2: listens at any number of places, in cleartext and for TLS, with an event loop for each
/// processor, and has a responder on each of them answer what comes.
///
/// It serves from ``start()`` until ``shutdown()`` has ended, whether or not anybody keeps a reference to it.
public final class HTTPServer<Responder: HTTPResponder>: Sendable {
    private let core: ServerCore

    /// A server that does nothing yet. The closure is called once for each loop, on it, when the server starts.
    public init(
        configuration: HTTPServerConfiguration, log: Log = .silent,
        makeResponder: @escaping @Sendable (any EventLoop) -> Responder
    ) {
        core = ServerCore(configuration: configuration, log: log) { makeResponder($0) }
    }

    /// Listens, and answers where the first listener does. Throws if an address is in use, even by a server that shares its
    /// port among its own loops. Blocks until every loop has its responder; not to be called on a loop.
    ///
    /// The closure is called when nothing can fail any more, and no connection is accepted before it returns: with
    /// sockets of a predecessor, that is the moment to tell it.
    @discardableResult
    public func start(beforeAccepting: () -> Void = {}) throws(HTTPServerError) -> HTTPServerAddress {
        try core.start(beforeAccepting)
    }

    /// Goes down: takes no more connections, has the responders end their streams, answers what is under way, and
    /// returns once the last connection is closed, after `drainTimeout` at the latest; a second later where a responder does
    /// not return. Calling it again waits as well.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            core.shutdown { continuation.resume() }
        }
    }

    /// As ``shutdown()``, calling the closure from some thread when it is done.
    public func shutdown(_ completion: @escaping @Sendable () -> Void) {
        core.shutdown(completion)
    }

    /// Copies of the listening sockets, for a server that is to take over: it is started with them, and once it is about to
    /// accept connections this one goes down by ``handOver()``. `nil` where this server does not serve. The caller closes
    /// them.
    public func socketsToHandOver() throws(HTTPServerError) -> InheritedSockets? {
        try core.socketsToHandOver()
    }

    /// As ``shutdown()``, with another server on the same sockets: what waits there to be accepted is left to it, and the
    /// files of Unix sockets stay.
    public func handOver() async {
        await withCheckedContinuation { continuation in
            handOver { continuation.resume() }
        }
    }

    /// As ``handOver()``, calling the closure from some thread when it is done.
    public func handOver(_ completion: @escaping @Sendable () -> Void) {
        core.shutdown(hasSuccessor: true, completion)
    }

    /// Where it listens and what for, with the ports that it got; none before ``start()``. From anywhere.
    public var listeners: [HTTPListener] { core.listeners }

    /// Where TLS is listened for first; `nil` where it is not, and before ``start()``. From anywhere.
    public var secureAddress: HTTPServerAddress? { core.listeners.first(where: \.isSecure)?.address }

    /// How many connections there are. From anywhere.
    public var connectionCount: Int { core.connectionCount }
}

/// Where a server listens.
public struct HTTPServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The numeric address, or the path of a Unix socket.
    public let host: String
    /// The port, never 0; but for a Unix socket, which has none.
    public let port: UInt16
    /// Whether it is a Unix socket's.
    public let isUnix: Bool

    init(host: String, port: UInt16) {
        (self.host, self.port, isUnix) = (host, port, false)
    }

    init(unixSocket path: String) {
        (host, port, isUnix) = (path, 0, true)
    }

    /// As in a URL: `127.0.0.1:8080`, `[::1]:8080`; `unix:/run/granary.sock`.
    public var description: String {
        if isUnix { return "unix:\(host)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
