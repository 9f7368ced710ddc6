/// A server that test clients can connect to, over the network or in memory, so that one scenario can run over both.
public protocol HTTPTestHost {
    /// Returns a connected cleartext client. With a small receive buffer, the client acts as a slow reader. 0 selects
    /// the kernel's default.
    func connect(receiveBuffer: Int) throws -> HTTPTestClient
    /// Returns a client that is connected to the TLS port and has sent nothing.
    func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient
    /// The number of open connections.
    var connectionCount: Int { get }
}

extension HTTPTestHost {
    /// Returns a connected cleartext client.
    public func connect() throws -> HTTPTestClient { try connect(receiveBuffer: 0) }

    /// Returns a client that is connected to the TLS port and has sent nothing.
    public func connectToSecurePort() throws -> HTTPTestClient { try connectToSecurePort(receiveBuffer: 0) }

    /// Returns a connected client that has completed the TLS handshake.
    public func connectSecurely(_ options: TLSTestOptions = TLSTestOptions()) throws -> HTTPTestClient {
        let client = try connectToSecurePort()
        try client.beginTLS(options)
        return client
    }
}
