/// Who is at the other end of a connection. One is made a connection and shared by its requests.
public final class HTTPPeer: Sendable {
    /// The address in numbers, without the port: `192.0.2.7`, `2001:db8::7`, or `unix`.
    public let address: String
    /// The port, 0 where there is none.
    public let port: UInt16

    /// The subject of the certificate that the peer has proved itself with, as RFC 2253 writes it (`CN=Ada,O=Example`); `nil`
    /// where it showed none. Only certificates of the configured issuers are taken.
    public let certificateSubject: String?

    /// What the listener is for that the peer has connected to.
    public let role: ListenerRole

    /// Whether the connection has come by a Unix socket, be it the peer's own or that of a proxy which names the peer.
    public let isByUnixSocket: Bool

    /// A peer by its address and port.
    public init(
        address: String, port: UInt16, certificateSubject: String? = nil, role: ListenerRole = .public,
        isByUnixSocket: Bool = false
    ) {
        self.address = address
        self.port = port
        self.certificateSubject = certificateSubject
        self.role = role
        self.isByUnixSocket = isByUnixSocket
    }
}
