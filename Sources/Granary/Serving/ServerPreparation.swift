import HTTPServer
import Log

/// What a server needs before it listens. Making it opens no socket and starts nothing, so that `check-config` can do the
/// same as `serve`.
struct ServerPreparation {
    /// The machines to host.
    let machines: [MachineDefinition]
    /// What hosts them.
    let host: SessionHost
    /// TLS, where it is configured.
    let tls: ServedTLS?

    /// Makes the machines' definitions, registers them and reads the certificates. Throws what a server cannot start with.
    init(_ configuration: Configuration, _ machines: (Configuration) throws -> [MachineDefinition], log: Log) throws {
        let machines = try machines(configuration)
        host = try SessionHost(machines, configuration: configuration.host, log: log)
        tls = try ServedTLS(configuration.tls, log: log)
        self.machines = machines
    }

    /// Returns what would keep a server of this configuration from starting, a sentence each: its machines, its
    /// certificates, its listeners. A listener that another process has is not a problem, as that may be the server which
    /// runs with this configuration.
    static func problems(
        _ configuration: Configuration, _ machines: (Configuration) throws -> [MachineDefinition]
    ) -> [String] {
        var problems: [String] = []
        do {
            _ = try SessionHost(try machines(configuration), configuration: configuration.host, log: .silent)
        } catch {
            problems.append("\(error)")
        }
        var server = configuration.server
        do {
            server.tls = try ServedTLS(configuration.tls, log: .silent)?.server
        } catch {
            problems.append("\(error)")
            // The problem is not that its listeners have no certificate.
            server.listeners = server.listeners.filter { !$0.isSecure }
            if server.listeners.isEmpty && !configuration.http.listeners.isEmpty { return problems }
        }
        return problems + server.listeningProblems().map(\.description)
    }
}
