import CLinux
import Dispatch
public import HTTPModel
public import Log

/// A server of HTTP/1.1 and HTTP/2: listens on one address, in cleartext and for TLS, with an event loop for each processor, and has a responder on each of
/// them answer what comes.
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

    /// Listens, and answers on which port. Throws if the address is in use, even by a server that shares its port
    /// among its own loops. Blocks until every loop has its responder; not to be called on a loop.
    @discardableResult
    public func start() throws(HTTPServerError) -> HTTPServerAddress {
        try core.start()
    }

    /// Goes down: takes no more connections, has the responders end their streams, answers what is under way, and
    /// returns once the last connection is closed, after `drainTimeout` at the latest. Calling it again waits as well.
    public func shutdown() async {
        await withCheckedContinuation { continuation in
            core.shutdown { continuation.resume() }
        }
    }

    /// As ``shutdown()``, calling the closure from some thread when it is done.
    public func shutdown(_ completion: @escaping @Sendable () -> Void) {
        core.shutdown(completion)
    }

    /// Where TLS is listened for; `nil` where it is not configured, and before ``start()``. From anywhere.
    public var secureAddress: HTTPServerAddress? { core.presentSecureAddress }

    /// How many connections there are. From anywhere.
    public var connectionCount: Int { core.connectionCount }
}

/// Where a server listens.
public struct HTTPServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// The numeric address.
    public let host: String
    /// The port, never 0.
    public let port: UInt16

    /// As in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
