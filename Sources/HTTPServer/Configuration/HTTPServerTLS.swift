public import HTTPModel
public import TLS

/// How a server speaks TLS, beside cleartext.
public struct HTTPServerTLS: Sendable {
    /// The certificates and the rest; connections get what is current when they are accepted.
    public var source: TLSContextSource
    /// The port, 0 for one that is free; without effect where the server's listeners are named one by one.
    public var port: UInt16
    /// How long a handshake may take.
    public var handshakeTimeout = Duration.seconds(10)
    /// The value of `Strict-Transport-Security` on every answer over TLS to the public; `nil` for none.
    public var strictTransportSecurity: HTTPFieldValue?
    /// Whether requests in cleartext are answered with 308 to the same target over TLS. Those on Unix sockets, behind which
    /// a proxy speaks TLS if anybody does, and those of operators are not.
    public var redirectsCleartext = false
    /// The paths that are answered in cleartext all the same.
    public var cleartextPaths: Set<String> = []
    /// The port that such an answer names, where it is not the one that is listened on: another stands in front.
    public var publicPort: UInt16?

    /// TLS on that port.
    public init(source: TLSContextSource, port: UInt16 = 8443) {
        self.source = source
        self.port = port
    }
}
