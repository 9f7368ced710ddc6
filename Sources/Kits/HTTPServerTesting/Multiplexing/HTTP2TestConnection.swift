/// A blocking HTTP/2 client, in cleartext or over TLS. It throws ``HTTPTestError`` if expected data does not arrive
/// within the patience of its socket.
public final class HTTP2TestConnection {
    /// The connection.
    public let socket: HTTPTestClient
    /// The HTTP/2 session.
    public let session: HTTP2TestClient

    /// Starts HTTP/2 with prior knowledge (RFC 9113 §3.3).
    public init(over socket: HTTPTestClient, session: HTTP2TestClient = HTTP2TestClient()) throws {
        self.socket = socket
        self.session = session
        try send()
    }

    /// Sends the pending output of the session.
    public func send() throws {
        let output = session.takeOutput()
        if !output.isEmpty { try socket.send(output) }
    }

    /// Sends a request and waits for the complete response.
    public func exchange(
        _ method: String = "GET", _ path: String = "/", authority: String = "localhost",
        fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> HTTP2TestAnswer {
        let stream = session.request(method, path, authority: authority, fields: fields, body: body)
        try wait("the answer to \(method) \(path)") { $0.answers[stream]?.isClosed == true }
        guard let answer = session.answers[stream] else { throw HTTPTestError("the request was not sent") }
        return answer
    }

    /// Sends and receives until the session satisfies a condition.
    public func wait(_ what: String = "the expected state", until condition: (HTTP2TestClient) -> Bool) throws {
        try send()
        while !condition(session) {
            let bytes = try socket.receiveSome(what: what)
            guard session.receive(bytes) else { throw HTTPTestError("the server's bytes are not HTTP/2") }
            try send()
        }
    }

    /// Sends and receives until the server closes the connection.
    public func waitForEnd() throws {
        try send()
        while !socket.hasEnded {
            guard session.receive(try socket.receiveAnything()) else { return }
            // Sending fails if the server has closed the connection, which the next iteration detects.
            do { try send() } catch { continue }
        }
    }
}
