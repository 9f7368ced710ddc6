import HTTP1
import HTTP2
import HTTPModel
import HTTPServer

extension Configuration {
    static let listenerKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "http.listeners", \.server.listeners, .listeners,
            "The listeners, which replace http.host, http.port and tls.port. The prefix `admin+` reserves a listener for "
                + "operators: it has health, metrics, the admin interface and the inspector, but no machines for clients."
        ),
        ConfigurationKey(
            "http.publicHealth", \.servesPublicHealth, .boolean,
            "Whether public listeners respond to /health requests. If not, only admin listeners do."),
        ConfigurationKey(
            "http.metrics", \.servesMetrics, .boolean,
            "Whether admin listeners respond to /metrics requests, in the formats of Prometheus and OpenMetrics."),
        ConfigurationKey(
            "http.admin", \.servesAdmin, .boolean,
            "Whether admin listeners serve the admin interface at /admin/v1 and the inspector at /."),
        ConfigurationKey(
            "http.page", \.servesPage, .boolean,
            "Whether public listeners serve the page at /: the machines, with a console for each, and what the program adds."
        ),
        ConfigurationKey(
            "http.docs", \.servesDocs, .boolean,
            "Whether public listeners serve the description of the machines at /openapi.json, their types at /types.d.ts and "
                + "/types.swift, and the page about them at /docs. `/v1/machines` lists the machines in any case."),
        ConfigurationKey(
            "http.host", \.server.host,
            .text(
                expecting: "a numeric address, such as \"127.0.0.1\", \"0.0.0.0\" or \"::\"",
                where: HTTPListener.isNumericAddress),
            "The address to listen on. The default accepts connections only from this machine."),
        ConfigurationKey(
            "http.port", \.server.port, .port, "The TCP port to listen on. 0 selects any free port."),
        ConfigurationKey(
            "http.loops", \.server.loopCount, .number(in: 0...256),
            "The number of event loops, among which sessions are distributed. 0 creates one per core."),
        ConfigurationKey(
            "http.sharesThreads", \.server.sharesThreads, .boolean,
            "Whether the loops share one thread while the load permits it. With separate threads, a machine that does not "
                + "return blocks only the sessions of one loop, but requests take about 25 % more CPU time."),
        ConfigurationKey(
            "http.maxConnections", \.server.connectionLimit, .number(in: .anyCount),
            "The maximum number of open connections."),
        ConfigurationKey(
            "http.maxConnectionsPerClient", \.server.connectionsPerClient, .limit,
            "The maximum number of open connections of a client, which is an IPv4 address or an IPv6 /64 network. "
                + "Connections above the limit get 429. 0 disables the limit."),
        ConfigurationKey(
            "http.maxNewConnectionsPerClient", \.server.newConnectionsPerClient, .limit,
            "The maximum number of connections that a client may open per second. Connections above the limit get 429. "
                + "0 disables the limit."),
        ConfigurationKey(
            "http.proxies", \.server.proxies, .addressRanges,
            "The proxies that send the PROXY protocol. They must send it on every connection. `unix` means all "
                + "proxies that connect to Unix sockets."),
        ConfigurationKey(
            "http.trustedProxies", \.access.trustedProxies, .addressRanges,
            "The proxies whose fields about their clients are believed: http.clientField and access.proxyField. They are "
                + "removed from the requests of all others. `unix` means all proxies that connect to Unix sockets. All "
                + "requests of these proxies are those of their clients, which have no client certificate. http.proxies "
                + "is about another protocol."),
        ConfigurationKey(
            "http.clientField", \.access.clientField, .choice,
            "The field in which all of http.trustedProxies name their clients: X-Forwarded-For, with the scheme in "
                + "X-Forwarded-Proto, or Forwarded, with its proto. A proxy must add to the field or replace it. The other "
                + "one is ignored, because proxies pass it on. The client is the last address that is not that of a trusted "
                + "proxy. Clients that are not named count as one client for all limits."),
        ConfigurationKey(
            "http.allowedHosts", \.server.allowedHosts, .hosts,
            "The accepted values of the Host field. Requests with other values get 421. Localhost, numeric addresses "
                + "and the names of the certificates are also accepted, but only localhost and loopback addresses if "
                + "all public listeners have loopback addresses. If the list is empty and there is no certificate, a "
                + "server with other listeners accepts every host. With `*`, every server accepts every host."),
    ]

    static let requestKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "http.maxHeadBytes", \.server.limits.headBytes, .bytes(in: .kibibytes(1)...ByteCount.mebibytes(16)),
            "The maximum size of a request head, including the request line. Requests above the limit get 431."),
        ConfigurationKey(
            "http.maxHeaderCount", \.server.limits.fieldCount, .number(in: 1...10_000),
            "The maximum number of header fields of a request. Requests above the limit get 431."),
        ConfigurationKey(
            "http.maxTargetBytes", \.server.limits.targetBytes,
            .bytes(in: ByteCount(bytes: 64)...ByteCount.mebibytes(1)),
            "The maximum length of a request target. Requests above the limit get 414."),
        ConfigurationKey(
            "http.maxBodyBytes", \.server.limits.bodyBytes, .bytes(in: .anySize),
            "The maximum size of a request body. Requests above the limit get 413."),
    ]

    static let timeoutKeys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "http.headTimeout", \.server.headTimeout, .duration(in: .anyTime),
            "The timeout for receiving a request head."),
        ConfigurationKey(
            "http.bodyTimeout", \.server.bodyTimeout, .duration(in: .anyTime),
            "The timeout for receiving a request body."),
        ConfigurationKey(
            "http.idleTimeout", \.server.idleTimeout, .duration(in: .anyTime),
            "The maximum time between two requests on a connection."),
        ConfigurationKey(
            "http.answerTimeout", \.server.answerTimeout, .duration(in: .anyTime),
            "The time for a client to read a response, plus one second for each 4 KiB that it has read."),
        ConfigurationKey(
            "http.writeTimeout", \.server.writeTimeout, .duration(in: .anyTime),
            "The time after which a connection is closed if its client does not read any data."),
        ConfigurationKey(
            "http.drainTimeout", \.server.drainTimeout, .duration(in: .anyTime),
            "The time that a shutdown waits for requests and streams. Must be shorter than the time after which the "
                + "supervisor kills the process."),
        ConfigurationKey(
            "http.takeoverTimeout", \.takeoverTimeout, .duration(in: .anyTime),
            "The time within which a new server that was started by SIGUSR2 must be ready. Otherwise it is killed, and the "
                + "old server continues."),
    ]

    static let http2Keys: [ConfigurationKey<Configuration>] = [
        ConfigurationKey(
            "http2.cleartext", \.server.servesHTTP2, .boolean,
            "Whether cleartext listeners support HTTP/2 with prior knowledge. Over TLS, the version is negotiated."),
        ConfigurationKey(
            "http2.maxStreams", \.server.http2.concurrentStreams, .number(in: 1...100_000),
            "The maximum number of concurrent requests on a connection."),
        ConfigurationKey(
            "http2.maxUnfinishedBodyBytes", \.server.http2.unfinishedBodyBytes, .bytes(in: .anySize),
            "The maximum size of all incomplete requests of a connection. Requests above the limit are rejected."),
        ConfigurationKey(
            "http2.maxHeaderBlockBytes", \.server.http2.headerBlockBytes, .bytes(in: .anySize),
            "The maximum size of a compressed request head. If a client exceeds it, the connection is closed."),
        ConfigurationKey(
            "http2.maxContinuations", \.server.http2.continuationFrames, .number(in: 0...1000),
            "The maximum number of CONTINUATION frames of a request head. If a client exceeds it, the connection is "
                + "closed."),
        ConfigurationKey(
            "http2.maxQueuedFrames", \.server.http2.queuedFrames, .number(in: 1...1_000_000),
            "The maximum number of queued replies to pings, settings and errors. If a client exceeds it, the "
                + "connection is closed."),
        ConfigurationKey(
            "http2.maxWorklessFrames", \.server.http2.worklessFrames, .number(in: .anyCount),
            "The maximum burst of frames that do not contribute to a request. If a client exceeds it, the connection "
                + "is closed."),
        ConfigurationKey(
            "http2.worklessFramesPerSecond", \.server.http2.worklessFramesPerSecond, .number(in: 0...1_000_000_000),
            "The rate per second at which the burst of http2.maxWorklessFrames is replenished."),
        ConfigurationKey(
            "http2.maxResets", \.server.http2.resets, .number(in: .anyCount),
            "The maximum burst of requests that either side resets before they are complete. If a client exceeds it, "
                + "the connection is closed."
        ),
        ConfigurationKey(
            "http2.resetsPerSecond", \.server.http2.resetsPerSecond, .number(in: 0...1_000_000_000),
            "The rate per second at which the burst of http2.maxResets is replenished."),
        ConfigurationKey(
            "http2.maxAge", \.server.http2.maximumAge, .optionalDuration(in: .anyTime),
            "The age at which a connection accepts no more requests. It is shortened by a random part so that clients do "
                + "not all reconnect at the same time."),
    ]
}

extension ConfigurationFormat<[HTTPListener]> {
    static var listeners: ConfigurationFormat {
        ConfigurationFormat.list(
            expecting:
                "a list of listeners, such as \"http://127.0.0.1:8080,https://[::]:8443,admin+http://127.0.0.1:9090,"
                + "unix:/run/granary.sock?mode=0660,https+unix:/run/secure.sock\"",
            elementExpectation: { text in
                do throws(HTTPListenerError) {
                    _ = try HTTPListener(text)
                    return nil
                } catch {
                    return error.expectation
                }
            }, read: { try? HTTPListener($0) }, write: { $0.description })
    }
}

extension ConfigurationFormat<[AddressRange]> {
    static var addressRanges: ConfigurationFormat {
        ConfigurationFormat.list(
            expecting: "a list of addresses and networks, such as \"10.0.0.0/8,::1\", or \"unix\"",
            read: { AddressRange($0) }, write: { $0.description })
    }
}

extension ConfigurationFormat<Set<String>> {
    static var hosts: ConfigurationFormat {
        ConfigurationFormat<[String]>.list(
            expecting: "a list of host names and addresses, such as \"app.example\" or \"[::1]\", or \"*\" for any",
            where: { HTTPServerConfiguration.canAllow(host: $0) }
        ).mapped {
            Set($0)
        } back: {
            $0.sorted()
        }
    }
}
