import HTTPServer

extension ConfigurationKey {
    /// Every key, in the order of the help and of the defaults file.
    static let all: [ConfigurationKey] = http + http2 + tls + compression + sessions + storage + stream + github + log

    /// The key of that name, section included; nil if there is none.
    static func named(_ name: String) -> ConfigurationKey? {
        all.first { $0.name == name }
    }

    static let anyCount = 1...1_000_000_000
    static let anySize = ByteCount(bytes: 1)...ByteCount.mebibytes(1 << 20)
    static let anyTime = Duration.milliseconds(1)...Duration.seconds(86_400 * 30)

    private static let http = listening + requestLimits + timeouts

    private static let listening: [ConfigurationKey] = [
        ConfigurationKey(
            "http.listeners", \.http.listeners,
            "Where to listen, in place of http.host, http.port and tls.port. `admin+` before one leaves it to operators: "
                + "it answers for the server's health and has no sessions."),
        ConfigurationKey(
            "http.publicHealth", \.http.publicHealth,
            "Whether /health is answered on listeners for the public too. Without it only admin listeners do."),
        ConfigurationKey(
            "http.host", \.http.host,
            expectation: "a numeric address, such as \"127.0.0.1\", \"0.0.0.0\" or \"::\"",
            "The address to listen on. The default is reached from this machine only.",
            accepts: HTTPListener.isNumericAddress),
        ConfigurationKey(
            "http.port", \.http.port, 0...65535, "The TCP port to listen on; 0 lets the system choose a free one."),
        ConfigurationKey(
            "http.loops", \.http.loops, 0...256, "Event loops, each with its part of the sessions; 0 makes one a core."),
        ConfigurationKey(
            "http.sharesThreads", \.http.sharesThreads,
            "Whether the loops share one thread while that is enough. Without, a machine that never returns holds up one "
                + "loop's sessions only, and a request takes a quarter more of the processor."),
        ConfigurationKey(
            "http.maxConnections", \.http.maxConnections, anyCount, "Connections that may be open at once."),
        ConfigurationKey(
            "http.maxConnectionsPerClient", \.http.maxConnectionsPerClient, 0...1_000_000_000,
            "Connections that one client, an IPv4 address or an IPv6 /64, may have at once; more get 429. 0 for any."),
        ConfigurationKey(
            "http.maxNewConnectionsPerClient", \.http.maxNewConnectionsPerClient, 0...1_000_000_000,
            "Connections that one client may make a second; more get 429. 0 for any."),
        ConfigurationKey(
            "http.proxies", \.http.proxies,
            expectation: "a list of addresses and networks, such as \"10.0.0.0/8,::1\", or \"unix\"",
            "Proxies that say with the PROXY protocol for whom they make a connection, and have to. `unix` are those on Unix "
                + "sockets.",
            accepts: { AddressRange($0) != nil }),
        ConfigurationKey(
            "http.allowedHosts", \.http.allowedHosts,
            expectation: "a list of host names and addresses, such as \"app.example\" or \"[::1]\", or \"*\" for any",
            "The names in `Host` that are answered; others get 421. Localhost and numeric addresses are answered too, but "
                + "only those of this machine while all public listeners are loopback addresses. An empty list answers "
                + "every name elsewhere; `*` does so everywhere.",
            accepts: { HTTPServerConfiguration.canAllow(host: $0) }),
    ]

    private static let requestLimits: [ConfigurationKey] = [
        ConfigurationKey(
            "http.maxHeadBytes", \.http.maxHeadBytes, .kibibytes(1)...ByteCount.mebibytes(16),
            "The largest head of a request, request line included; a larger one gets 431."),
        ConfigurationKey(
            "http.maxHeaderCount", \.http.maxHeaderCount, 1...10_000,
            "The most header fields of a request; more get 431."),
        ConfigurationKey(
            "http.maxTargetBytes", \.http.maxTargetBytes, ByteCount(bytes: 64)...ByteCount.mebibytes(1),
            "The longest request target; a longer one gets 414."),
        ConfigurationKey(
            "http.maxBodyBytes", \.http.maxBodyBytes, anySize, "The largest body of a request; a larger one gets 413."),
    ]

    private static let timeouts: [ConfigurationKey] = [
        ConfigurationKey(
            "http.headTimeout", \.http.headTimeout, anyTime, "How long the head of a request may take to arrive."),
        ConfigurationKey(
            "http.bodyTimeout", \.http.bodyTimeout, anyTime, "How long the body of a request may take to arrive."),
        ConfigurationKey(
            "http.idleTimeout", \.http.idleTimeout, anyTime, "How long a connection may rest between two requests."),
        ConfigurationKey(
            "http.answerTimeout", \.http.answerTimeout, anyTime,
            "How long a client may take to read an answer, beside a second for each 4 KiB that it reads."),
        ConfigurationKey(
            "http.writeTimeout", \.http.writeTimeout, anyTime,
            "How long a peer may take nothing of what is sent to it before its connection is closed."),
        ConfigurationKey(
            "http.drainTimeout", \.http.drainTimeout, anyTime,
            "How long a shutdown waits for what is under way. Keep it below what your supervisor waits before it kills."
        ),
        ConfigurationKey(
            "http.takeoverTimeout", \.http.takeoverTimeout, anyTime,
            "How long the new server that SIGUSR2 starts may take until it is ready. Then it is killed, and the old one "
                + "goes on."),
    ]

    private static let sessions: [ConfigurationKey] = [
        ConfigurationKey(
            "sessions.maxSessions", \.sessions.maxSessions, anyCount,
            "Sessions that may live at once; one more gets 503."),
        ConfigurationKey(
            "sessions.maxSessionsPerClient", \.sessions.maxSessionsPerClient, 0...1_000_000_000,
            "Sessions that one client, an IPv4 address or an IPv6 /64, may have at once; more get 429. Loopback addresses and "
                + "Unix sockets are not limited. 0 for any."),
        ConfigurationKey(
            "sessions.maxNewSessionsPerClient", \.sessions.maxNewSessionsPerClient, 0...1_000_000_000,
            "Sessions that one client may create a second; more get 429. 0 for any."),
        ConfigurationKey(
            "sessions.maxStreamsPerSession", \.sessions.maxStreamsPerSession, 1...100_000,
            "Streams that one session may have at once; one more gets 429."),
        ConfigurationKey(
            "sessions.maxStreams", \.sessions.maxStreams, anyCount,
            "Streams that the server may have at once; one more gets 429."),
        ConfigurationKey(
            "sessions.idleExpiry", \.sessions.idleExpiry, anyTime,
            "How long a session lives with neither an input nor an open stream."),
        ConfigurationKey(
            "sessions.historyChanges", \.sessions.historyChanges, 1...1_000_000,
            "Changes that a session remembers for streams that come back; after more they get a snapshot."),
        ConfigurationKey(
            "sessions.historyBytes", \.sessions.historyBytes, ByteCount(bytes: 1)...ByteCount.mebibytes(1024),
            "Bytes of changes that a session remembers, whichever of the two limits is reached first."),
        ConfigurationKey(
            "sessions.idempotencyKeys", \.sessions.idempotencyKeys, 0...100_000,
            "Idempotency keys of inputs that a session remembers; over it, a new key gets 429. 0 turns keys off, those of new "
                + "sessions too."),
        ConfigurationKey(
            "sessions.idempotencyWindow", \.sessions.idempotencyWindow, anyTime,
            "How long an idempotency key is remembered."),
        ConfigurationKey(
            "sessions.turnsInARow", \.sessions.turnsInARow, anyCount,
            "Turns that may follow each other without rest: each is scheduled by the one before, without a delay. A session "
                + "that goes further ends with an incident."),
        ConfigurationKey(
            "sessions.turnWarning", \.sessions.turnWarning, anyTime,
            "A turn that takes at least this long is logged with its machine and input."),
    ]

    private static let stream: [ConfigurationKey] = [
        ConfigurationKey(
            "stream.keepAlive", \.stream.keepAlive, anyTime,
            "The silence after which a stream gets a comment line, so that proxies keep it open."),
        ConfigurationKey(
            "stream.retry", \.stream.retry, anyTime, "How long clients are told to wait before they come back."),
        ConfigurationKey(
            "stream.lifetime", \.stream.lifetime, anyTime,
            "The age at which a stream ends with \"rotated\", give or take a random part so that not all end at once."
        ),
    ]

    private static let github: [ConfigurationKey] = [
        ConfigurationKey(
            "github.baseURL", \.github.baseURL, expectation: "a URL that begins with http:// or https://",
            "The service that the search machine asks.",
            accepts: { $0.hasPrefix("https://") || $0.hasPrefix("http://") }),
        ConfigurationKey(
            "github.token", \.github.token,
            "The token that is sent with each search. Set it in the environment, not in a file or a flag."),
        ConfigurationKey("github.timeout", \.github.timeout, anyTime, "How long a search may take."),
    ]

    private static let log: [ConfigurationKey] = [
        ConfigurationKey("log.level", \.log.level, "The least severe events that are written to standard error."),
        ConfigurationKey("log.format", \.log.format, "One line of JSON or of text an event."),
    ]
}
