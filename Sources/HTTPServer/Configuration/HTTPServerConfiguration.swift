public import HTTP1
public import HTTP2

/// How a server listens and what it bears. The defaults hold on the open internet.
public struct HTTPServerConfiguration: Sendable {
    /// Where to listen. Empty for the simple case: ``host`` and ``port`` in cleartext and, where there is TLS, its port.
    public var listeners: [HTTPListener] = []
    /// The numeric address to listen on where ``listeners`` names nothing else; `::` is every address of both families.
    public var host: String
    /// The port there, 0 for one that is free.
    public var port: UInt16
    /// Sockets that another process has opened: a supervisor's are served in place of ``listeners``, those of a server
    /// that ends are taken over where ``listeners`` asks for their places.
    public var inherited: InheritedSockets?
    /// How many event loops share the work, 0 for one for each processor that the process may use.
    public var loopCount = 0
    /// Whether the loops share one thread while that is enough, which costs less; otherwise each has its own, and a responder
    /// that never returns holds up the connections of one loop only.
    public var sharesThreads = true
    /// How many connections wait in the kernel to be accepted.
    public var backlog = 1024
    /// How many connections there are at once; one more gets 503, unless it comes to a listener for operators.
    public var connectionLimit = 50_000
    /// How many connections one client may have at once, `nil` for any number; one more gets 429. A client is an IPv4
    /// address or an IPv6 network of 64 bits.
    public var connectionsPerClient: Int?
    /// How many connections one client may make a second, as many at once among them, `nil` for any number; more get 429.
    public var newConnectionsPerClient: Int?
    /// The proxies that say with the PROXY protocol, version 1 or 2, for whom they make a connection. One of theirs that
    /// begins with anything else is closed. From any other peer the protocol is no HTTP, and refused like that.
    public var proxies: [AddressRange] = []
    /// How much of a request is taken.
    public var limits = HTTP1Limits()
    /// How much one connection of HTTP/2 may ask, as far as it is about HTTP/2: what it shares with HTTP/1.1 (sizes of
    /// requests, times) is taken from there.
    public var http2 = HTTP2Limits()
    /// Whether clients that speak HTTP/2 with prior knowledge are served in cleartext. Over TLS the list of protocols says.
    public var servesHTTP2 = true
    /// TLS, on a port of its own unless ``listeners`` says where; `nil` for none.
    public var tls: HTTPServerTLS?
    /// The hosts that the server answers for, compared without case, port and final dot; a request for another gets 421.
    /// Empty, or with `*` among them, for any. On an admin listener, numeric addresses and `localhost` are accepted too.
    public var allowedHosts: Set<String> = []
    /// Whether hosts are restricted so that no page of somebody else reaches the server through DNS rebinding.
    ///
    /// While all public listeners are loopback addresses, only loopback addresses, `localhost` and names under it are then
    /// accepted besides ``allowedHosts``. On other listeners, numeric addresses and `localhost` are accepted besides
    /// ``allowedHosts``, unless that is empty. No browser reaches a Unix socket, or omits the host: a request that arrives on
    /// a Unix socket may name any host if ``allowedHosts`` is empty, and one without a host is accepted.
    public var preventsRebinding = false

    /// Which answers are compressed for clients that ask for it; `nil` for none.
    public var compression: HTTPServerCompression?

    /// How long a head may take from its first byte, and a new connection until that byte.
    public var headTimeout = Duration.seconds(10)
    /// How long a body may take, beside a second for each ``bodyRate`` bytes that have come.
    public var bodyTimeout = Duration.seconds(10)
    /// The bytes a second that a body has to come at once ``bodyTimeout`` is used up.
    public var bodyRate = 4096
    /// How long a connection may wait for its next request.
    public var idleTimeout = Duration.seconds(60)
    /// How long a peer may owe the acknowledgement of an answer that has been sent to it over HTTP/1.1, beside a second for
    /// each ``answerRate`` bytes that it has acknowledged. Streams of events are taken at the peer's own pace.
    public var answerTimeout = Duration.seconds(10)
    /// The bytes a second that a peer has to take of an answer at once ``answerTimeout`` is used up.
    public var answerRate = 4096
    /// How long a peer may take nothing of what is to be sent to it.
    public var writeTimeout = Duration.seconds(45)
    /// How long a connection is kept after its last answer, so that the peer reads it instead of a reset.
    public var lingerTimeout = Duration.seconds(2)
    /// How long streams and requests have to end once the server is going down. Container engines kill 10 s after they have
    /// asked a process to end.
    public var drainTimeout = Duration.seconds(8)

    /// The bytes that the kernel keeps unsent for a connection before it is held to be full: what a slow reader costs.
    public var unsentBytes = 32 << 10
    /// The bytes that a body stream is asked for at a time.
    public var streamReadBytes = 32 << 10

    /// A server on that address and port, with the defaults for all else.
    public init(host: String = "127.0.0.1", port: UInt16 = 8080) {
        self.host = host
        self.port = port
    }
}

extension HTTPServerConfiguration {
    /// Where to listen, whichever way it was said.
    var effectiveListeners: [HTTPListener] {
        guard listeners.isEmpty else { return listeners }
        let plain = HTTPListener(.address(host: host, port: port))
        guard let tls else { return [plain] }
        return [plain, HTTPListener(.address(host: host, port: tls.port), isSecure: true)]
    }

    /// Where each client's connections are counted, if they are limited.
    var clientLimiter: ClientLimiter? {
        guard connectionsPerClient != nil || newConnectionsPerClient != nil else { return nil }
        return ClientLimiter(connections: connectionsPerClient, newPerSecond: newConnectionsPerClient)
    }
}
