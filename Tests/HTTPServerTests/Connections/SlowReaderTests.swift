import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

/// Peers that do not read their responses.
@Suite struct SlowReaderTests {
    /// Sizes above the small receive buffer of a client, below and far above the size of the kernel's send buffer.
    private static let sizes = [20_000, 8_000_000]

    /// The number of answered requests. It distinguishes a connection that was disconnected from one that is not yet
    /// accepted.
    private let asked = Counter()

    /// Sendable because it is atomic.
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private func server(
        answerTimeout: Duration = .milliseconds(60), rate: Int = 1 << 20, writeTimeout: Duration? = nil,
        stream: HTTPTestStream? = nil
    ) throws -> HTTPTestServer {
        try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.answerTimeout = answerTimeout
                configuration.answerRate = rate
                if let writeTimeout { configuration.writeTimeout = writeTimeout }
            },
            respond: { [asked] request, _ in
                asked.value.wrappingAdd(1, ordering: .sequentiallyConsistent)
                if let stream, request.path == "/events" {
                    let fields: HTTPFields = ["content-type": "Text/Event-Stream; charset=utf-8"]
                    return .response(HTTPResponse(status: .ok, fields: fields, body: .stream(stream)))
                }
                if let stream, request.path == "/stream" {
                    return .response(HTTPResponse(status: .ok, body: .stream(stream)))
                }
                let size = request.queryValue("size").flatMap { Int($0) } ?? 0
                return .response(HTTPResponse(status: .ok, body: .bytes(Array(repeating: 65, count: size))))
            })
    }

    /// Returns a client that has sent a request, whose response has been made, and that reads nothing.
    private func slowReader(
        of server: HTTPTestServer, _ target: String, _ fields: String = ""
    ) async throws -> HTTPTestClient {
        let before = asked.value.load(ordering: .sequentiallyConsistent)
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
        #expect(await eventually { asked.value.load(ordering: .sequentiallyConsistent) > before })
        return client
    }

    @Test(arguments: sizes, ["", "Connection: close\r\n"])
    func `a reader that does not read a response is disconnected`(_ size: Int, _ fields: String) async throws {
        let server = try server()
        let client = try await slowReader(of: server, "/?size=\(size)", fields)
        #expect(await eventually { server.connectionCount == 0 })
        #expect(try client.receiveToEnd().count < size)
        await server.shutdown()
    }

    @Test func `a reader that does not read a streamed response is disconnected`() async throws {
        let stream = HTTPTestStream(endless: 65)
        let server = try server(stream: stream)
        let client = try await slowReader(of: server, "/stream")
        #expect(await eventually { server.connectionCount == 0 })
        #expect(await server.onLoop { _ in stream.isStopped })
        client.close()
        await server.shutdown()
    }

    @Test func `an event stream is read at the pace of its reader`() async throws {
        let stream = HTTPTestStream(endless: UInt8(ascii: ":"))
        let server = try server(stream: stream)
        let patient = try await slowReader(of: server, "/events")
        // The later ones are disconnected one after the other.
        for _ in 0..<3 {
            let client = try await slowReader(of: server, "/?size=20000")
            #expect(await eventually { server.connectionCount == 1 })
            client.close()
        }
        #expect(await server.onLoop { _ in !stream.isStopped })
        patient.close()
        #expect(await eventually { server.connectionCount == 0 })
        await server.shutdown()
    }

    @Test func `a reader that has read its response may be idle`() async throws {
        let server = try server()
        let resting = try server.connect()
        try resting.send("GET /?size=20000 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try resting.receiveResponse().body.count == 20_000)
        for _ in 0..<3 {
            let client = try await slowReader(of: server, "/?size=20000")
            #expect(await eventually { server.connectionCount == 1 })
            client.close()
        }
        try resting.send("GET /?size=3 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try resting.receiveResponse().body.count == 3)
        await server.shutdown()
    }

    @Test(arguments: sizes) func `a slow reader that keeps the minimum rate is served`(_ size: Int) async throws {
        // At the minimum rate, a byte extends the timeout by a second. On a busy machine, the rounds may take longer than the
        // default time in which the socket must accept bytes.
        let server = try server(rate: 1, writeTimeout: .seconds(3600))
        let slow = try await slowReader(of: server, "/?size=\(size)")
        _ = try slow.receiveHead()
        for _ in 0..<5 {
            let taken = slow.pending.count
            // The current check is complete when another response has been read.
            let other = try self.server()
            let stuck = try await slowReader(of: other, "/?size=20000")
            #expect(await eventually { other.connectionCount == 0 })
            stuck.close()
            await other.shutdown()
            try slow.receive(until: { $0.count > taken || $0.count == size }, what: "more")
        }
        try slow.receive(until: { $0.count == size }, what: "the rest")
        await server.shutdown()
    }
}
