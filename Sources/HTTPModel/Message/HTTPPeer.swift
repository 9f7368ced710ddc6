/// The peer of a connection. There is one instance per connection, which its requests share.
public final class HTTPPeer: Sendable {
    /// The numeric address without the port: `192.0.2.7`, `2001:db8::7`, or `unix`.
    public let address: String
    /// The port, or 0 if there is none.
    public let port: UInt16

    /// The subject of the peer's certificate in the form of RFC 2253 (`CN=Ada,O=Example`), or `nil` if it has presented
    /// none. Only certificates from the configured issuers are accepted.
    public let certificateSubject: String?

    /// The alternative names of the peer's certificate (RFC 5280 §4.2.1.6), each with its kind: `DNS:ada.example`,
    /// `URI:spiffe://example/ada`, `email:ada@example`.
    public let certificateNames: [String]

    /// The role of the listener that the peer has connected to.
    public let role: ListenerRole

    /// Whether the connection uses a Unix socket, either of the peer or of a proxy that names the peer.
    public let isByUnixSocket: Bool

    /// Creates a peer from its properties.
    public init(
        address: String, port: UInt16, certificateSubject: String? = nil, certificateNames: [String] = [],
        role: ListenerRole = .public, isByUnixSocket: Bool = false
    ) {
        self.address = address
        self.port = port
        self.certificateSubject = certificateSubject
        self.certificateNames = certificateNames
        self.role = role
        self.isByUnixSocket = isByUnixSocket
    }
}
