/// The peer of a connection. There is one instance per connection, which its requests share.
public final class HTTPPeer: Sendable {
    /// The numeric address without the port: `192.0.2.7`, `2001:db8::7`, or `unix`. The client of a trusted proxy that does not name
    /// it is `unknown`.
    public let address: String
    /// The port, or 0 if none exists.
    public let port: UInt16

    /// The subject of the peer's certificate in the form of RFC 2253 (`CN=Ada,O=Example`), or `nil` if it has presented
    /// none. Only certificates from the configured issuers are accepted. The client of a trusted proxy has none: the certificate
    /// of the connection is the proxy's.
    public let certificateSubject: String?

    /// The alternative names of the peer's certificate (RFC 5280 §4.2.1.6), each with its kind: `DNS:ada.example`,
    /// `URI:spiffe://example/ada`, `email:ada@example`.
    public let certificateNames: [String]

    /// The role of the listener that the peer has connected to.
    public let role: ListenerRole

    /// Whether the connection uses a Unix socket, either of the peer or of a proxy that names the peer.
    public let isByUnixSocket: Bool

    /// Whether only processes of this machine can connect to the listener: it is a Unix socket or has a loopback address.
    public let isListenerLocal: Bool

    /// Whether the connection uses TLS.
    public let isSecure: Bool

    /// The peer of the connection, a trusted proxy that has forwarded the request; nil if the connection is the peer's own.
    package let proxy: HTTPPeer?

    /// For whom the requests of the peer are counted; nil if it is not limited: a loopback address, or none. The client of a trusted
    /// proxy is always limited, and all unknown ones are one client.
    // Parsed once for all requests of a connection.
    package let limitedClient: ClientTable.Client?

    /// Creates a peer from its properties. A listener with a Unix socket is local in any case.
    public init(
        address: String, port: UInt16, certificateSubject: String? = nil, certificateNames: [String] = [],
        role: ListenerRole = .public, isByUnixSocket: Bool = false, isListenerLocal: Bool = false,
        isSecure: Bool = false
    ) {
        self.address = address
        limitedClient = HTTPPeer.limitedClient(address)
        self.port = port
        self.certificateSubject = certificateSubject
        self.certificateNames = certificateNames
        self.role = role
        self.isByUnixSocket = isByUnixSocket
        self.isListenerLocal = isListenerLocal || isByUnixSocket
        self.isSecure = isSecure
        proxy = nil
    }

    /// Creates the client on whose behalf a trusted proxy has sent a request.
    ///
    /// - Parameters:
    ///   - client: The address of the client; nil if it is unknown.
    ///   - proxy: The peer of the connection.
    package init(client: NumericAddress?, forwardedBy proxy: HTTPPeer) {
        address = client?.text ?? "unknown"
        // Not that of the proxy, which may have no limit.
        limitedClient = ClientTable.Client(bits: client?.client ?? 0)
        port = 0
        // The certificate of the connection is the proxy's own. With it, all clients of the proxy would be one principal.
        certificateSubject = nil
        certificateNames = []
        role = proxy.role
        isByUnixSocket = proxy.isByUnixSocket
        isListenerLocal = proxy.isListenerLocal
        isSecure = proxy.isSecure
        self.proxy = proxy.proxy ?? proxy
    }

    private static func limitedClient(_ address: String) -> ClientTable.Client? {
        guard let numeric = NumericAddress(address), !numeric.isLoopback else { return nil }
        return ClientTable.Client(bits: numeric.client)
    }
}
