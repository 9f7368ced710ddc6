import Dispatch
import HTTPServer
import Log
import TLS

/// The TLS of a running server: its certificates, their files, and the rotation of session ticket keys.
final class ServedTLS {
    // The previous key stays valid for another interval, so a ticket is valid for one to two intervals.
    /// The interval, in seconds, at which the keys of session tickets change.
    private static let ticketKeyAge = 3600

    let server: HTTPServerTLS
    /// The fingerprint of a temporary certificate, or `nil` if the certificates come from files.
    let fingerprint: String?

    private let files: CertificateFiles?
    private let log: Log
    private var rotation: (any DispatchSourceProtocol)?

    /// Reads the certificates or creates a temporary one. Returns `nil` if TLS is not configured.
    init?(_ configuration: Configuration.TLS, log: Log) throws {
        let files = CertificateFiles(configuration)
        try files.check()
        guard configuration.isEnabled else { return nil }
        self.log = log
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

    /// The watch of the certificate files, or `nil` if the certificate is temporary.
    var watch: FileWatch? { files.map { FileWatch($0, source: server.source, log: log) } }

    /// Whether a certificate has a name that requests can use as their host.
    var hasNames: Bool { server.source.current.configuration.identities.contains { !$0.hostNames.isEmpty } }

    /// Starts to rotate the ticket keys.
    func begin() {
        let source = server.source
        let rotation = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "granary.tls"))
        rotation.schedule(
            deadline: .now() + .seconds(ServedTLS.ticketKeyAge), repeating: .seconds(ServedTLS.ticketKeyAge))
        rotation.setEventHandler { source.rotateTicketKeys() }
        rotation.activate()
        self.rotation = rotation
    }

    /// Stops rotating the ticket keys.
    func end() {
        rotation?.cancel()
        rotation = nil
    }
}
