import HTTPModel
import HTTPServer
import TLS

extension Configuration.TLS {
    var isEnabled: Bool { selfSigned || !certificates.isEmpty || !privateKeys.isEmpty }

    /// Returns the configuration of the protocol.
    func engine(_ identities: [TLSIdentity]) -> TLSConfiguration {
        var engine = TLSConfiguration(identities: identities)
        engine.minimumVersion = minimumVersion == .v13 ? .v13 : .v12
        return engine
    }

    /// Returns the configuration of the listener.
    func server(_ source: TLSContextSource) -> HTTPServerTLS {
        var server = HTTPServerTLS(source: source, port: UInt16(port))
        server.handshakeTimeout = handshakeTimeout
        server.redirectsCleartext = redirectsCleartext
        server.publicPort = publicPort == 0 ? nil : UInt16(publicPort)
        // Clients of the health routes, such as orchestrators, may not support TLS.
        server.cleartextPaths = ["/health/live", "/health/ready"]
        let seconds = strictTransportSecurity.wholeNanoseconds / 1_000_000_000
        if seconds > 0 { server.strictTransportSecurity = HTTPFieldValue("max-age=\(seconds)") }
        return server
    }
}
