import Glibc
import HTTPModel
import HTTPServer
import Log
import Telemetry

/// One run of a server process, from its start until its shutdown.
struct ServerRun {
    var configuration: Configuration
    let log: Log
    /// TLS, if it is configured.
    var tls: ServedTLS?
    /// Sends spans to the collector; nil if nothing is traced.
    var spans: SpanExporter?
    /// Access control, and the host that it is applied to.
    var access: RunningAccess?
    /// The additions of the program to the page.
    var page: Page?
    /// The name of the program in the text at the start.
    var program = "Granary \(GranaryVersion.current)"
    /// The supervisor, predecessor and successor of the process.
    var succession: Succession?
    var store: SessionStore?
    /// Called once when a new server has taken over. The `end` of the run must return then.
    var handedOver: @Sendable () -> Void = {}
    /// The names, summaries and outputs of the machines, for the text at the start.
    let machines: [(name: String, summary: String, outputs: [String])]
    /// The reason why the sessions of a machine cannot be stored, by the name of the machine.
    var obstacles: [String: String] = [:]
    /// The effective configuration, with the keys of the program.
    var effective: @Sendable () -> [EffectiveValue] = { [] }
    /// Replays recordings for operators; nil if the program cannot.
    var replay: ReplayProcess?
    /// Creates the responder for requests that the site does not handle. Called once for each loop, on that loop.
    let makeResponder: @Sendable (any EventLoop, MetricCells) -> any HTTPResponder

    /// Serves until `end` returns, then drains.
    ///
    /// - Parameters:
    ///   - announce: Receives the text for the operator when the server listens.
    ///   - end: Waits for the request to shut down.
    func run(announce: (String) -> Void, until end: () async -> Void) async throws(HTTPServerError) {
        let server = ServerPreparation.makeServer(
            configuration, tls: tls, page: page, inherited: succession?.inherited,
            telemetry: ServerTelemetry(
                configuration, inherited: succession?.inherited, host: access?.host, spans: spans, log: log),
            access: access?.access,
            admin: AdminInterface.serving(
                configuration, inherited: succession?.inherited, host: access?.host,
                .init(configuration: effective, drain: handedOver, replay: replay), log: log),
            log: log, makeResponder: makeResponder)
        // Before the server responds, because its first response may be what a deployment waits for.
        succession?.takeover.prepare()
        do {
            try server.start { receiveSessions(on: server) }
        } catch {
            _ = succession?.takeover.end()
            throw error
        }
        let files = ServedFiles(tls: tls, access: access, interval: configuration.tls.reloadInterval, log: log)
        files.begin(onHangUpFor: succession?.supervisor)
        defer { files.end() }
        announce(
            StartupText.text(
                listeners: server.listeners, fingerprint: tls?.fingerprint, machines: machines, obstacles: obstacles,
                warnings: HostExposure.warnings(configuration, tls: tls, listeners: server.listeners),
                program: program))
        // A successor has no journal yet, and begins when it is open.
        if succession?.predecessor == nil { store?.begin() }
        succession?.begin()
        // Last, because a supervisor must learn that the server is ready before it learns of a takeover.
        succession?.takeover.begin(
            sockets: { () throws(HTTPServerError) in try server.socketsToHandOver() },
            exchange: SessionExchange(
                store: store, patience: configuration.server.drainTimeout, turnPatience: configuration.takeoverTimeout,
                setAccepting: { if $0 { server.resumeAccepting() } else { server.suspendAccepting() } }),
            handedOver: handedOver)
        await end()
        if succession?.end() == true {
            await server.handOver()
        } else {
            await server.shutdown()
            await store?.close()
        }
        await spans?.finish(within: TraceExport.endLimit)
    }

    /// Continues the sessions of a predecessor, before any connection is accepted.
    private func receiveSessions(on server: HTTPServer<SiteResponder>) {
        guard let predecessor = succession?.predecessor else { return }
        switch predecessor.awaitLegacy() {
        case .sessions(let lock):
            if let store {
                store.openReceived(lock: lock) { predecessor.confirm() }
            } else {
                if let lock { close(lock) }
                predecessor.confirm()
            }
            predecessor.receiveConnections { server.serve(passed: $0) }
        case .sockets:
            // The old server may be in the middle of a long turn, or about to exit.
            store?.openWhenFree(within: configuration.server.drainTimeout + configuration.takeoverTimeout)
        }
    }
}
