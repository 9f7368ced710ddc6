/// A server that clients of the test kit can connect to, over the network or in memory: what a scenario needs that is to be
/// run over both.
public protocol HTTPTestHost {
    /// A client that is connected to it in cleartext. A small receive buffer makes a slow reader of it; 0 for the kernel's.
    func connect(receiveBuffer: Int) throws -> HTTPTestClient
    /// A client that is connected to where TLS is spoken, and has said nothing.
    func connectToSecurePort(receiveBuffer: Int) throws -> HTTPTestClient
    /// How many connections it has.
    var connectionCount: Int { get }
}

extension HTTPTestHost {
    /// A client that is connected to it in cleartext.
    public func connect() throws -> HTTPTestClient { try connect(receiveBuffer: 0) }

    /// A client that is connected to where TLS is spoken, and has said nothing.
    public func connectToSecurePort() throws -> HTTPTestClient { try connectToSecurePort(receiveBuffer: 0) }

    /// A client that is connected to it and has agreed with it over TLS.
    public func connectSecurely(_ options: TLSTestOptions = TLSTestOptions()) throws -> HTTPTestClient {
        let client = try connectToSecurePort()
        try client.beginTLS(options)
        return client
    }
}
