import HTTPModel
import HTTPServer
import TLS

extension Configuration.TLS {
    /// Whether a certificate is configured, or a part of one.
    var isEnabled: Bool { selfSigned || !certificates.isEmpty || !privateKeys.isEmpty }

    /// The part that is about the protocol, in its words.
    func engine(_ identities: [TLSIdentity]) -> TLSConfiguration {
        var engine = TLSConfiguration(identities: identities)
        engine.minimumVersion = minimumVersion == .v13 ? .v13 : .v12
        return engine
    }

    /// The part that is about the port, in the server's words.
    func server(_ source: TLSContextSource) -> HTTPServerTLS {
        var server = HTTPServerTLS(source: source, port: UInt16(port))
        server.handshakeTimeout = handshakeTimeout
        server.redirectsCleartext = redirectsCleartext
        server.publicPort = publicPort == 0 ? nil : UInt16(publicPort)
        // Whoever asks for the server's health may not speak TLS.
        server.cleartextPaths = ["/health/live", "/health/ready"]
        let seconds = strictTransportSecurity.wholeNanoseconds / 1_000_000_000
        if seconds > 0 { server.strictTransportSecurity = HTTPFieldValue("max-age=\(seconds)") }
        return server
    }
}
