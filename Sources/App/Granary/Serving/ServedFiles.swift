import Log
import MachineHost

/// Access control, and the host that it is applied to.
struct RunningAccess: Sendable {
    /// The keys.
    let access: ServedAccess
    let host: SessionHost
}

/// Everything of a running server that comes from files and changes with them: certificates, keys, and what is fetched in
/// addition.
final class ServedFiles {
    private let tls: ServedTLS?
    private let access: RunningAccess?
    private let reloading: FileReloading

    /// Creates the files of a server.
    ///
    /// - Parameters:
    ///   - tls: TLS, if it is configured.
    ///   - access: The access control.
    ///   - interval: The interval at which they are checked for changes.
    init(tls: ServedTLS?, access: RunningAccess?, interval: Duration, log: Log) {
        self.tls = tls
        self.access = access
        reloading = FileReloading(interval: interval, log: log)
    }

    /// Starts to reload files, to rotate keys and to fetch keys.
    ///
    /// - Parameter supervisor: The supervisor to notify of reloads on SIGHUP. If it is `nil`, SIGHUP is not handled.
    func begin(onHangUpFor supervisor: Supervisor? = nil) {
        tls?.begin()
        access?.access.begin { [host = access?.host] in host?.replaceAccess($0) }
        let watches = (tls?.watch).map { [$0] } ?? []
        reloading.begin(watches + (access?.access.watches ?? []), onHangUpFor: supervisor)
    }

    /// Stops all of it.
    func end() {
        reloading.end()
        access?.access.end()
        tls?.end()
    }
}
