import HTTPModel
import HTTPServer
import Log

/// One life of a server: from its start until a signal has ended it.
struct ServerRun {
    /// What the operator chose.
    let configuration: Configuration
    /// Where events go.
    let log: Log
    /// TLS, where it is configured.
    var tls: ServedTLS?
    /// What the machines are called and do, for the text at the start.
    let machines: [(name: String, summary: String)]
    /// Makes what answers the requests that the site does not, once for each loop and on it.
    let makeResponder: @Sendable (any EventLoop) -> any HTTPResponder

    /// Serves until `end` returns, then drains. `announce` gets the text for the operator once the server listens.
    func run(announce: (String) -> Void, until end: () async -> Void) async throws(HTTPServerError) {
        let site = Site()
        var listening = configuration.server
        listening.tls = tls?.server
        let server = HTTPServer(configuration: listening, log: log) { [makeResponder] loop in
            SiteResponder(site: site, next: makeResponder(loop))
        }
        let address = try server.start()
        tls?.begin()
        defer { tls?.end() }
        announce(
            StartupText.text(
                address: "\(address)", secureAddress: server.secureAddress.map { "\($0)" },
                fingerprint: tls?.fingerprint, machines: machines))
        await end()
        await server.shutdown()
    }
}
