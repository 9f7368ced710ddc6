public import HTTP2Testing

/// A client of HTTP/2 over a real socket, in cleartext or through TLS. Blocking; whatever does not come within the patience of
/// its socket is thrown as ``HTTPTestError``.
public final class HTTP2TestConnection {
    /// The socket.
    public let socket: HTTPTestClient
    /// What is said over it.
    public let session: HTTP2TestClient

    /// Speaks HTTP/2 from now on, as one that knows beforehand that the server does (RFC 9113 §3.3).
    public init(over socket: HTTPTestClient, session: HTTP2TestClient = HTTP2TestClient()) throws {
        self.socket = socket
        self.session = session
        try send()
    }

    /// Sends what the session has to say.
    public func send() throws {
        let output = session.takeOutput()
        if !output.isEmpty { try socket.send(output) }
    }

    /// Asks, and waits for the whole answer.
    public func exchange(
        _ method: String = "GET", _ path: String = "/", authority: String = "localhost",
        fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> HTTP2TestAnswer {
        let stream = session.request(method, path, authority: authority, fields: fields, body: body)
        try wait("the answer to \(method) \(path)") { $0.answers[stream]?.isClosed == true }
        guard let answer = session.answers[stream] else { throw HTTPTestError("the request was not sent") }
        return answer
    }

    /// Goes on, both ways, until something is true of the session.
    public func wait(_ what: String = "what was waited for", until condition: (HTTP2TestClient) -> Bool) throws {
        try send()
        while !condition(session) {
            let bytes = try socket.receiveSome(what: what)
            guard session.receive(bytes) else { throw HTTPTestError("the server's bytes are not HTTP/2") }
            try send()
        }
    }

    /// Goes on until the server has closed the connection.
    public func waitForEnd() throws {
        try send()
        while !socket.hasEnded {
            guard session.receive(try socket.receiveAnything()) else { return }
            // The server may have closed already.
            do { try send() } catch { continue }
        }
    }
}
