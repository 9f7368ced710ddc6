import Dispatch
import Glibc
import HTTPModel
import HTTPServer
import Log
import ProcessLifecycle
import TLS

/// The TLS of a running server: its certificates, their files, and the rotation of session ticket keys.
final class ServedTLS {
    // The previous key stays valid for another interval, so a ticket is valid for one to two intervals.
    /// The interval, in seconds, at which the keys of session tickets change.
    private static let ticketKeyAge = 3600

    /// The TLS configuration of the server.
    let server: HTTPServerTLS
    /// The fingerprint of a temporary certificate, or `nil` if the certificates come from files.
    let fingerprint: String?

    private let files: CertificateFiles?
    private let interval: Duration
    private let log: Log
    private var sources: [any DispatchSourceProtocol] = []

    /// Reads the certificates or creates a temporary one. Returns `nil` if TLS is not configured.
    init?(_ configuration: Configuration.TLS, log: Log) throws {
        let files = CertificateFiles(configuration)
        try files.checkClients()
        guard configuration.isEnabled else { return nil }
        self.log = log
        interval = configuration.reloadInterval
        if configuration.selfSigned {
            let identity = try TLSIdentity.selfSigned()
            self.files = nil
            fingerprint = identity.fingerprint
            server = configuration.server(try TLSContextSource(try files.engine([identity])))
        } else {
            self.files = files
            fingerprint = nil
            server = configuration.server(try TLSContextSource(try files.read()))
        }
    }

    /// Starts to watch the files and to rotate the ticket keys.
    ///
    /// - Parameter supervisor: The supervisor to notify of reloads on SIGHUP. If it is `nil`, SIGHUP is not handled,
    ///   because an embedded server must not change the signal handling of its process.
    func begin(reloadingOnHangUpFor supervisor: Supervisor? = nil) {
        let queue = DispatchQueue(label: "granary.tls")
        let source = server.source
        let rotation = DispatchSource.makeTimerSource(queue: queue)
        rotation.schedule(
            deadline: .now() + .seconds(ServedTLS.ticketKeyAge), repeating: .seconds(ServedTLS.ticketKeyAge))
        rotation.setEventHandler { source.rotateTicketKeys() }
        rotation.activate()
        sources.append(rotation)
        if let files { watch(CertificateWatch(files, source: source, log: log), on: queue, supervisor) }
    }

    private func watch(_ watch: CertificateWatch, on queue: DispatchQueue, _ supervisor: Supervisor?) {
        let watch = Confined(watch)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(interval.wholeMilliseconds)
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { watch.value.check() }
        timer.activate()
        sources.append(timer)
        guard let supervisor else { return }
        let hangUp = SignalHandling.begin(SIGHUP, on: queue) {
            supervisor.notifyReloading()
            watch.value.reload()
            supervisor.notify(.ready)
        }
        sources.append(hangUp)
    }

    /// Stops watching files and rotating keys.
    func end() {
        for source in sources { source.cancel() }
        sources = []
    }

    /// A value that the handlers of one serial queue share.
    ///
    /// Sendable because it is accessed only on that queue.
    private final class Confined: @unchecked Sendable {
        var value: CertificateWatch

        init(_ value: CertificateWatch) { self.value = value }
    }
}
