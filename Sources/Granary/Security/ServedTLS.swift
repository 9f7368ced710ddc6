import Dispatch
import Glibc
import HTTPModel
import HTTPServer
import Log
import TLS

/// TLS as the operator has configured it, for the life of a server: its certificates, where they come from, and the keys of
/// its tickets.
final class ServedTLS {
    /// How often the keys of tickets change: a ticket is good for this time at the least, and twice as long at the most.
    private static let ticketKeyAge = 3600

    /// What the server listens with.
    let server: HTTPServerTLS
    /// The fingerprint of a certificate that was made for this life only; `nil` where it comes from files.
    let fingerprint: String?

    private let files: CertificateFiles?
    private let interval: Duration
    private let log: Log
    private var sources: [any DispatchSourceProtocol] = []

    /// Reads the certificates, or makes one; `nil` where TLS is not configured.
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

    /// Watches files and hears SIGHUP from now on, and changes the keys of tickets. The supervisor is told of what SIGHUP
    /// has done.
    func begin(supervisor: Supervisor? = nil) {
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
        let milliseconds = Int(interval.wholeNanoseconds / 1_000_000)
        timer.schedule(deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { watch.value.look() }
        timer.activate()
        signal(SIGHUP, SIG_IGN)
        let hangUp = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        hangUp.setEventHandler {
            supervisor?.hearOfReloading()
            watch.value.reload()
            supervisor?.hear(.ready)
        }
        hangUp.activate()
        sources += [timer, hangUp] as [any DispatchSourceProtocol]
    }

    /// Watches no more.
    func end() {
        for source in sources { source.cancel() }
        sources = []
    }

    /// A value that the handlers of one serial queue share.
    ///
    /// Sendable: it is touched on that queue only.
    private final class Confined: @unchecked Sendable {
        var value: CertificateWatch

        init(_ value: CertificateWatch) { self.value = value }
    }
}
