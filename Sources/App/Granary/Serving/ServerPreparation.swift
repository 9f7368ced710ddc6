import Access
import HTTPModel
import HTTPServer
import Log
import SQLiteJournal
import Telemetry

/// The components of a server before it listens. Creating them opens no socket and starts no threads, so that
/// `check-config` can perform the same checks as `serve`.
struct ServerPreparation {
    let machines: [MachineDefinition]
    let host: SessionHost
    /// TLS, if it is configured.
    let tls: ServedTLS?
    /// Access control, with the keys that can change.
    let access: ServedAccess
    /// The additions of the program to the page.
    let page: Page?
    /// Sends spans to the collector; nil if nothing is traced.
    let spans: SpanExporter?

    /// Registers the machines, reads the certificates and keys, and checks the page.
    ///
    /// - Throws: The first problem that would prevent the server from starting.
    init(
        _ configuration: Configuration, page: Page? = nil, authenticator: HostAuthenticator? = nil,
        store: SessionStore? = nil, log: Log, machines: () throws -> [MachineDefinition]
    ) throws {
        try page?.check()
        let hostConfiguration = try configuration.host()
        let machines = try machines().map { $0.storable(with: hostConfiguration.secretKeys) }
        access = try ServedAccess(
            configuration, host: authenticator, directory: store?.directory, log: log.module("access"))
        spans = try TraceExport(configuration.traces)?.makeExporter(log: log)
        host = try SessionHost(
            machines, configuration: hostConfiguration, log: log.module("sessions"), journal: store?.writer,
            access: access.current, spans: spans)
        if let identity = access.identity {
            store?.writer.addCheck { try identity.admit(to: $0) }
        }
        tls = try ServedTLS(configuration.tls, log: log)
        self.machines = machines
        self.page = page
    }

    /// Returns the problems of machines, page, state directory, keys, certificates and listeners that would prevent a server from
    /// starting. Creates nothing.
    ///
    /// A listener whose address another process uses is not a problem, because that process may be the running server
    /// with this configuration.
    ///
    /// - Parameters:
    ///   - page: The additions of the program to the page.
    ///   - authenticator: The program's own authentication.
    ///   - stateDirectory: Returns the directory in which the sessions of the machines are stored; nil if none are.
    static func problems(
        _ configuration: Configuration, page: Page? = nil, authenticator: HostAuthenticator? = nil,
        machines: () throws -> [MachineDefinition],
        stateDirectory: (Configuration.Storage, [MachineDefinition]) throws -> String? = { _, _ in nil }
    ) -> [String] {
        var problems: [String] = []
        var definitions: [MachineDefinition] = []
        do {
            try page?.check()
            definitions = try machines()
            _ = try SessionHost(definitions, configuration: try configuration.host(), log: .silent)
        } catch {
            problems.append("\(error)")
        }
        do {
            let directory = try stateDirectory(configuration.storage, definitions)
            if let directory {
                try JournalLock.check(directory: directory)
                problems += [configuration.storage.journalProblem(for: definitions)].compactMap(\.self)
            }
        } catch {
            problems.append("\(error)")
        }
        problems += ServedAccess.problems(configuration, host: authenticator)
        do {
            _ = try TraceExport(configuration.traces)
        } catch {
            problems.append(error.description)
        }
        var server = configuration.httpServer()
        do {
            server.tls = try ServedTLS(configuration.tls, log: .silent)?.server
        } catch {
            problems.append("\(error)")
            // Without certificates, a secure listener would cause a second problem.
            server.listeners = server.listeners.filter { !$0.isSecure }
            if server.listeners.isEmpty && !configuration.server.listeners.isEmpty { return problems }
        }
        return problems + server.listeningProblems().map(\.description)
    }

    /// Access control, and what it is applied to.
    var servedAccess: RunningAccess { RunningAccess(access: access, host: host) }

    /// The reason why the sessions of a machine cannot be stored, by the name of the machine.
    var obstacles: [String: String] {
        machines.reduce(into: [:]) { $0[$1.name] = $1.obstacleText }
    }

    /// Returns an HTTP server for these components, which has not been started.
    func makeServer(
        _ configuration: Configuration, inherited: InheritedSockets? = nil, log: Log,
        admin: AdminInterface.Surroundings = AdminInterface.Surroundings()
    ) -> HTTPServer<SiteResponder> {
        ServerPreparation.makeServer(
            configuration, tls: tls, page: page, inherited: inherited,
            telemetry: ServerTelemetry(configuration, inherited: inherited, host: host, spans: spans, log: log),
            access: access,
            admin: AdminInterface.serving(configuration, inherited: inherited, host: host, admin, log: log), log: log
        ) { [host] in host.makeShard(on: $0, counting: $1) }
    }

    /// Returns an HTTP server that serves the site and forwards all other requests to a responder per loop.
    static func makeServer(
        _ configuration: Configuration, tls: ServedTLS?, page: Page?, inherited: InheritedSockets? = nil,
        telemetry: ServerTelemetry, access: ServedAccess?, admin: AdminInterface? = nil, log: Log,
        makeResponder: @escaping @Sendable (any EventLoop, MetricCells) -> any HTTPResponder
    ) -> HTTPServer<SiteResponder> {
        let site = Site(page: page, hasPage: configuration.servesPage, hasDocs: configuration.servesDocs)
        let servesPublicHealth = configuration.servesPublicHealth
        let forwarding = AccessPlan(configuration).forwarding
        let operators = OperatorAccess(configuration.access.operators, access: access, log: log.module("access"))
        let inspector = Inspector()
        let hosts = AdminHosts(configuration.server.allowedHosts)
        return HTTPServer(
            configuration: configuration.httpServer(tls: tls?.server, inherited: inherited), log: log.module("http")
        ) { loop in
            if loop.index == 0 {
                site.prepare()
                if admin != nil { inspector.prepare() }
            }
            let cells = telemetry.makeCells(for: loop)
            return SiteResponder(
                site: site, next: makeResponder(loop, cells), servesPublicHealth: servesPublicHealth,
                forwarding: forwarding, meter: telemetry.makeMeter(in: cells, for: loop),
                tracer: telemetry.makeTracer(in: cells, for: loop),
                metrics: telemetry.makeEndpoint(on: loop), operators: operators,
                admin: admin.map { AdminEndpoint($0, inspector, hosts: hosts, operators: operators, on: loop) })
        }
    }
}
