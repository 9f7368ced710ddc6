import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

/// Peers that hold answers by not taking them.
@Suite struct SlowReaderTests {
    /// More than a client of a small buffer takes by itself, less than the kernel keeps for it or much more.
    private static let sizes = [20_000, 8_000_000]

    /// How many requests have been answered: a connection that is gone by then was cut off, and is not one that is still to
    /// come.
    private let asked = Counter()

    /// Sendable: it is atomic.
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private func server(
        answerTimeout: Duration = .milliseconds(60), rate: Int = 1 << 20, stream: HTTPTestStream? = nil
    ) throws -> HTTPTestServer {
        try HTTPTestServer(
            configure: { configuration in
                configuration.loopCount = 1
                configuration.answerTimeout = answerTimeout
                configuration.answerRate = rate
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

    /// A client that has asked and been answered, and that reads nothing.
    private func slowReader(
        of server: HTTPTestServer, _ target: String, _ fields: String = ""
    ) async throws -> HTTPTestClient {
        let before = asked.value.load(ordering: .sequentiallyConsistent)
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
        try await eventually { asked.value.load(ordering: .sequentiallyConsistent) > before }
        return client
    }

    @Test(arguments: sizes, ["", "Connection: close\r\n"])
    func `a reader that takes nothing of an answer is cut off`(_ size: Int, _ fields: String) async throws {
        let server = try server()
        let client = try await slowReader(of: server, "/?size=\(size)", fields)
        try await eventually { server.connectionCount == 0 }
        #expect(try client.receiveToEnd().count < size)
        await server.shutdown()
    }

    @Test func `a reader that takes nothing of content that is made while it is sent is cut off`() async throws {
        let stream = HTTPTestStream(endless: 65)
        let server = try server(stream: stream)
        let client = try await slowReader(of: server, "/stream")
        try await eventually { server.connectionCount == 0 }
        #expect(await server.onLoop { _ in stream.isStopped })
        client.close()
        await server.shutdown()
    }

    @Test func `a stream of events is taken at the reader's pace`() async throws {
        let stream = HTTPTestStream(endless: UInt8(ascii: ":"))
        let server = try server(stream: stream)
        let patient = try await slowReader(of: server, "/events")
        // Those that come later are cut off, one after the other.
        for _ in 0..<3 {
            let client = try await slowReader(of: server, "/?size=20000")
            try await eventually { server.connectionCount == 1 }
            client.close()
        }
        #expect(await server.onLoop { _ in !stream.isStopped })
        patient.close()
        try await eventually { server.connectionCount == 0 }
        await server.shutdown()
    }

    @Test func `a reader that took its answer may rest`() async throws {
        let server = try server()
        let resting = try server.connect()
        try resting.send("GET /?size=20000 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try resting.receiveResponse().body.count == 20_000)
        for _ in 0..<3 {
            let client = try await slowReader(of: server, "/?size=20000")
            try await eventually { server.connectionCount == 1 }
            client.close()
        }
        try resting.send("GET /?size=3 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try resting.receiveResponse().body.count == 3)
        await server.shutdown()
    }

    @Test(arguments: sizes) func `a reader that is slow but takes its share is served`(_ size: Int) async throws {
        // A byte is good for a second.
        let server = try server(rate: 1)
        let slow = try await slowReader(of: server, "/?size=\(size)")
        _ = try slow.receiveHead()
        for _ in 0..<5 {
            let taken = slow.pending.count
            // The present look is over once one has been taken for another.
            let other = try self.server()
            let stuck = try await slowReader(of: other, "/?size=20000")
            try await eventually { other.connectionCount == 0 }
            stuck.close()
            await other.shutdown()
            try slow.receive(until: { $0.count > taken || $0.count == size }, what: "more")
        }
        try slow.receive(until: { $0.count == size }, what: "the rest")
        await server.shutdown()
    }
}
