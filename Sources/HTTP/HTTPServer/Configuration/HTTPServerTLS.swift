public import HTTPModel
public import TLS

/// The TLS settings of a server, which serves cleartext as well.
public struct HTTPServerTLS: Sendable {
    /// The certificates and TLS settings. A connection uses those that are current when it is accepted.
    public var source: TLSContextSource
    /// The port, or 0 for any free port. Ignored if the configuration lists its listeners.
    public var port: UInt16
    /// The time for a handshake.
    public var handshakeTimeout = Duration.seconds(10)
    /// The value of `Strict-Transport-Security` on every public response over TLS; `nil` for none.
    public var strictTransportSecurity: HTTPFieldValue?
    /// Whether cleartext requests get 308 to the same target over TLS. Requests on admin listeners and on Unix sockets,
    /// where a proxy in front terminates TLS, are not redirected.
    public var redirectsCleartext = false
    /// The paths that are served in cleartext nevertheless.
    public var cleartextPaths: Set<String> = []
    /// The port to redirect to, if it is not the listener's port because another server is in front.
    public var publicPort: UInt16?

    /// Creates TLS settings for a port.
    public init(source: TLSContextSource, port: UInt16 = 8443) {
        self.source = source
        self.port = port
    }
}
