public import HTTP1
public import HTTP2
public import HTTPModel

/// The listeners and limits of a server. The defaults are safe on the open internet.
public struct HTTPServerConfiguration: Sendable {
    /// The listeners. If empty, the server listens on ``host`` and ``port`` in cleartext and, with TLS, on its port.
    public var listeners: [HTTPListener] = []
    /// The numeric address to listen on if ``listeners`` is empty; `::` means all addresses of both families.
    public var host: String
    /// The port to listen on if ``listeners`` is empty, or 0 for any free port.
    public var port: UInt16
    /// Sockets that another process has opened. A supervisor's sockets replace ``listeners``; the sockets of a
    /// predecessor are taken over where ``listeners`` has the same addresses.
    public var inherited: InheritedSockets?
    /// The number of event loops, or 0 for one per processor that the process may use.
    public var loopCount = 0
    /// Whether the loops share one thread while one is enough, which is cheaper. Otherwise each loop has its own
    /// thread, and a responder that never returns blocks the connections of one loop only.
    public var sharesThreads = true
    /// The maximum number of connections that wait in the kernel to be accepted.
    public var backlog = 1024
    /// The maximum number of connections. Further ones get 503, except on admin listeners.
    public var connectionLimit = 50_000
    /// The maximum number of connections of one client, or `nil` for no limit. Further ones get 429. A client is an
    /// IPv4 address or an IPv6 /64 network.
    public var connectionsPerClient: Int?
    /// The number of new connections that one client may open per second, and the size of a burst; `nil` for no limit.
    /// Further ones get 429.
    public var newConnectionsPerClient: Int?
    /// The proxies that announce the client of each connection with the PROXY protocol, version 1 or 2. A connection
    /// from one of them that begins with anything else is closed. From any other peer, a PROXY header is refused as
    /// invalid HTTP.
    public var proxies: [AddressRange] = []
    /// The limits of requests.
    public var limits = HTTP1Limits()
    /// The limits of an HTTP/2 connection. Limits that apply to HTTP/1.1 as well (request sizes and times) are taken
    /// from there.
    public var http2 = HTTP2Limits()
    /// Whether HTTP/2 with prior knowledge is served in cleartext. With TLS, the list of protocols decides.
    public var servesHTTP2 = true
    /// TLS, on a separate port unless ``listeners`` specifies otherwise; `nil` for no TLS.
    public var tls: HTTPServerTLS?
    /// The hosts that requests may name, compared without case, port and final dot. A request for another host gets
    /// 421. If the set is empty or contains `*`, any host is accepted. On an admin listener, numeric addresses and
    /// `localhost` are accepted too.
    public var allowedHosts: Set<String> = []
    /// Whether hosts are restricted so that a foreign page cannot reach the server through DNS rebinding.
    ///
    /// While all public listeners are loopback addresses, only loopback addresses, `localhost` and its subdomains are
    /// accepted in addition to ``allowedHosts``. On other listeners, numeric addresses, `localhost` and the names of the
    /// certificates of ``tls`` are accepted in addition to ``allowedHosts``; if there is neither a name nor a listed host,
    /// any host is accepted. No browser can connect to a Unix socket or omit the host. Therefore a request on a Unix
    /// socket may name any host if ``allowedHosts`` is empty, and a request without a host is accepted.
    public var preventsRebinding = false

    /// Which responses are compressed for clients that accept it; `nil` for none.
    public var compression: HTTPServerCompression?

    /// The time for a request head from its first byte, and for a new connection until that byte.
    public var headTimeout = Duration.seconds(10)
    /// The time for a request body, plus a second for each ``bodyRate`` bytes that have arrived.
    public var bodyTimeout = Duration.seconds(10)
    /// The rate in bytes per second that a body must reach once ``bodyTimeout`` is used up.
    public var bodyRate = 4096
    /// How long a connection may be idle between two requests.
    public var idleTimeout = Duration.seconds(60)
    /// How long a peer may take to acknowledge a response over HTTP/1.1, plus a second for each ``answerRate`` bytes
    /// that it has acknowledged. Event streams are excluded: their clients read at their own pace.
    public var answerTimeout = Duration.seconds(10)
    /// The rate in bytes per second at which a peer must acknowledge a response once ``answerTimeout`` is used up.
    public var answerRate = 4096
    /// How long a peer may accept no bytes at all while there are bytes to send.
    public var writeTimeout = Duration.seconds(45)
    /// How long a connection stays open after its last response, so that the peer reads the response and not a reset.
    public var lingerTimeout = Duration.seconds(2)
    /// How long streams and requests may take to end when the server shuts down. Container engines kill a process 10 s
    /// after the stop signal.
    public var drainTimeout = Duration.seconds(8)

    /// The number of unsent bytes that the kernel buffers per connection: the memory that a slow reader costs.
    public var unsentBytes = 32 << 10
    /// The maximum number of bytes that are requested from a body stream at a time.
    public var streamReadBytes = 32 << 10

    /// Creates a configuration for an address and a port, with the defaults for everything else.
    public init(host: String = "127.0.0.1", port: UInt16 = 8080) {
        self.host = host
        self.port = port
    }
}

extension HTTPServerConfiguration {
    /// The listeners, whether they are listed or given as ``host`` and ``port``.
    var effectiveListeners: [HTTPListener] {
        guard listeners.isEmpty else { return listeners }
        let plain = HTTPListener(.address(host: host, port: port))
        guard let tls else { return [plain] }
        return [plain, HTTPListener(.address(host: host, port: tls.port), isSecure: true)]
    }

    /// A limiter for the connections of each client; `nil` if they are not limited.
    var clientLimiter: ClientLimiter? {
        guard connectionsPerClient != nil || newConnectionsPerClient != nil else { return nil }
        return ClientLimiter(connections: connectionsPerClient, newPerSecond: newConnectionsPerClient)
    }
}
