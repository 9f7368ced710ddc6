import HTTPModel
import HTTPServer
import Log

/// One life of a server: from its start until a signal has ended it.
struct ServerRun {
    /// What the operator chose.
    var configuration: Configuration
    /// Where events go.
    let log: Log
    /// TLS, where it is configured.
    var tls: ServedTLS?
    /// What is before and after this life, where anything is.
    var succession: Succession?
    /// Called once when another server has taken over; `end` has to return then.
    var handedOver: @Sendable () -> Void = {}
    /// What the machines are called, do and show, for the text at the start.
    let machines: [(name: String, summary: String, outputs: [String])]
    /// Makes what answers the requests that the site does not, once for each loop and on it.
    let makeResponder: @Sendable (any EventLoop) -> any HTTPResponder

    /// Serves until `end` returns, then drains. `announce` gets the text for the operator once the server listens.
    func run(announce: (String) -> Void, until end: () async -> Void) async throws(HTTPServerError) {
        let server = makeServer()
        try server.start { succession?.beforeAccepting() }
        tls?.begin(supervisor: succession?.supervisor)
        defer { tls?.end() }
        succession?.takeover.begin(
            sockets: { () throws(HTTPServerError) in try server.socketsToHandOver() }, handedOver: handedOver)
        announce(
            StartupText.text(listeners: server.listeners, fingerprint: tls?.fingerprint, machines: machines))
        succession?.begin()
        await end()
        if succession?.end() == true { await server.handOver() } else { await server.shutdown() }
    }

    private func makeServer() -> HTTPServer<SiteResponder> {
        let site = Site()
        var listening = configuration.server
        listening.tls = tls?.server
        listening.inherited = succession?.inherited
        let tellsPublicOfHealth = configuration.http.publicHealth
        return HTTPServer(configuration: listening, log: log) { [makeResponder] loop in
            SiteResponder(site: site, next: makeResponder(loop), tellsPublicOfHealth: tellsPublicOfHealth)
        }
    }
}
