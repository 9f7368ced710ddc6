package import HTTPServer

extension HTTPServerConfiguration {
    /// The timeout for clients in a test. A failed test keeps its server for that long at most.
    private static let longTimeout = Duration.seconds(3600)

    /// Gives clients an hour for everything that they do, because a busy machine can delay a test between any two bytes. A test of a
    /// timeout sets that timeout afterwards.
    // Not for acknowledgements, which the system of the client sends, not the client: a connection that lingers is checked every half of
    // that timeout.
    package mutating func extendTimeouts() {
        headTimeout = Self.longTimeout
        bodyTimeout = Self.longTimeout
        idleTimeout = Self.longTimeout
        writeTimeout = Self.longTimeout
        extendHandshakeTimeout()
    }

    /// Gives clients an hour for the TLS handshake, unless the timeout was set.
    package mutating func extendHandshakeTimeout() {
        guard let tls, tls.handshakeTimeout == HTTPServerTLS(source: tls.source).handshakeTimeout else { return }
        self.tls?.handshakeTimeout = Self.longTimeout
    }
}
