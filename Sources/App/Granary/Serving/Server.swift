public import Access
public import HTTPServer
import Locking
public import Log
import Telemetry

/// A server that a program embeds next to its other work.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.server.port = 0
/// let server = Server(configuration: configuration, machines: machines)
/// try server.start()
/// print("port \(server.port ?? 0)")
/// await server.stop()
/// ```
///
/// Unlike ``serve(name:version:page:defaults:authenticator:_:)``, it reads no command line and no environment, installs no signal handlers,
/// prints nothing, and never exits the process. Any number of servers can run in a process. The process should ignore
/// SIGPIPE if it writes the log to a pipe.
///
/// The first start raises the soft limit of open files to the hard limit, which is the only change to the process.
public final class Server: Sendable {
    private enum State {
        case stopped
        case starting
        case running(HTTPServer<SiteResponder>, ServedFiles, SpanExporter?)
        case stopping
    }

    /// The configuration of the server.
    public let configuration: Configuration
    private let log: Log
    private let page: Page?
    private let authenticator: HostAuthenticator?
    private let machines: [MachineDefinition]
    private let state = Lock(State.stopped)

    /// Creates a server that is not running.
    ///
    /// - Parameters:
    ///   - configuration: The configuration. Of its `log` section, only the keys of the access log are used.
    ///   - page: The additions to the page at `/`.
    ///   - authenticator: The program's own authentication, for example the session of an existing web application.
    ///   - log: The log of the server.
    ///   - machines: The machines to host.
    public init(
        configuration: Configuration = Configuration(), page: Page? = nil, authenticator: HostAuthenticator? = nil,
        log: Log = .silent, machines: [MachineDefinition]
    ) {
        self.configuration = configuration
        self.page = page
        self.authenticator = authenticator
        self.log = log
        self.machines = machines
    }

    /// Starts to listen. A stopped server can be started again; it has no sessions then.
    ///
    /// Blocks briefly, until all event loops run. Must not be called on an event loop.
    ///
    /// - Throws: ``ServerError`` if the server is running, a machine cannot be hosted, a certificate cannot be used, or
    ///   a listener cannot listen.
    public func start() throws(ServerError) {
        let canStart = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .starting
            return true
        }
        guard canStart else { throw ServerError(description: "The server is already running.", cause: nil) }
        // Without the lock, because starting waits for threads that may call `port` or `listeners`.
        do {
            let running = try launch()
            state.withLock { $0 = running }
        } catch {
            state.withLock { $0 = .stopped }
            throw ServerError(description: "\(error)", cause: error)
        }
    }

    private func launch() throws -> State {
        let prepared = try ServerPreparation(configuration, page: page, authenticator: authenticator, log: log) {
            machines
        }
        let server = prepared.makeServer(
            configuration, log: log,
            admin: .init(configuration: { [configuration] in EffectiveValue.all(of: .standard, in: configuration) }))
        try server.start()
        let files = ServedFiles(
            tls: prepared.tls, access: prepared.servedAccess, interval: configuration.tls.reloadInterval, log: log)
        files.begin()
        return .running(server, files, prepared.spans)
    }

    /// Stops the server: closes the listeners, ends the streams, and waits until the requests in flight are complete,
    /// at most for `drainTimeout`. Has no effect if the server is not running.
    public func stop() async {
        let running = state.withLock { state -> State in
            guard case .running = state else { return state }
            defer { state = .stopping }
            return state
        }
        guard case .running(let server, let files, let spans) = running else { return }
        files.end()
        await server.shutdown()
        await spans?.finish(within: TraceExport.endLimit)
        state.withLock { $0 = .stopped }
    }

    /// The listeners with their actual ports. Empty if the server is not running.
    public var listeners: [HTTPListener] {
        guard case .running(let server, _, _) = state.withLock({ $0 }) else { return [] }
        return server.listeners
    }

    /// The TCP port of the first listener that has one, or `nil` if none exists or the server is not running.
    public var port: UInt16? {
        listeners.lazy.compactMap { listener in
            guard case .address(_, let port) = listener.place else { return nil }
            return port
        }
        .first
    }
}

/// The reason why a ``Server`` could not start.
public struct ServerError: Error, CustomStringConvertible {
    /// The reason, as a sentence.
    public let description: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?
}
