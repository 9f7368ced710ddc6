import Access
import HTTPModel
import HTTPServer
import Log

/// The components of a server before it listens. Creating them opens no socket and starts no threads, so that
/// `check-config` can perform the same checks as `serve`.
struct ServerPreparation {
    /// The hosted machines.
    let machines: [MachineDefinition]
    /// The host of their sessions.
    let host: SessionHost
    /// TLS, if it is configured.
    let tls: ServedTLS?
    /// Access control, with the keys that can change.
    let access: ServedAccess
    /// The additions of the program to the page.
    let page: Page?

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
        access = try ServedAccess(configuration, host: authenticator, directory: store?.directory, log: log)
        host = try SessionHost(
            machines, configuration: hostConfiguration, log: log, journal: store?.writer, access: access.current)
        tls = try ServedTLS(configuration.tls, log: log)
        self.machines = machines
        self.page = page
    }

    /// Returns the problems of machines, page, keys, certificates and listeners that would prevent a server from starting.
    ///
    /// A listener whose address another process uses is not a problem, because that process may be the running server
    /// with this configuration.
    static func problems(
        _ configuration: Configuration, page: Page? = nil, authenticator: HostAuthenticator? = nil,
        machines: () throws -> [MachineDefinition]
    ) -> [String] {
        var problems: [String] = []
        do {
            try page?.check()
            _ = try SessionHost(try machines(), configuration: try configuration.host(), log: .silent)
        } catch {
            problems.append("\(error)")
        }
        problems += ServedAccess.problems(configuration, host: authenticator)
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

    /// What keeps the sessions of a machine from being stored, by the name of the machine.
    var obstacles: [String: String] {
        machines.reduce(into: [:]) { $0[$1.name] = $1.obstacleText }
    }

    /// Returns an HTTP server for these components, which has not been started.
    func makeServer(
        _ configuration: Configuration, inherited: InheritedSockets? = nil, log: Log
    ) -> HTTPServer<SiteResponder> {
        ServerPreparation.makeServer(
            configuration, tls: tls, page: page, inherited: inherited, log: log
        ) { [host] loop in host.makeShard(on: loop) }
    }

    /// Returns an HTTP server that serves the site and forwards all other requests to a responder per loop.
    static func makeServer(
        _ configuration: Configuration, tls: ServedTLS?, page: Page?, inherited: InheritedSockets? = nil, log: Log,
        makeResponder: @escaping @Sendable (any EventLoop) -> any HTTPResponder
    ) -> HTTPServer<SiteResponder> {
        let site = Site(page: page)
        let servesPublicHealth = configuration.servesPublicHealth
        let forwarding = AccessPlan(configuration).forwarding
        return HTTPServer(
            configuration: configuration.httpServer(tls: tls?.server, inherited: inherited), log: log
        ) { loop in
            if loop.index == 0 { site.prepare() }
            return SiteResponder(
                site: site, next: makeResponder(loop), servesPublicHealth: servesPublicHealth, forwarding: forwarding)
        }
    }
}
