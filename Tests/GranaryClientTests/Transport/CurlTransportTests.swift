import Dispatch
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

@testable import GranaryClient

@MainActor
@Suite struct CurlTransportTests {
    /// The events of an exchange.
    @MainActor
    private final class Recorder {
        private(set) var events: [TransportEvent] = []

        func receive(_ event: TransportEvent) { events.append(event) }

        var isOver: Bool {
            switch events.last {
            case .finished, .failed: true
            case .head, .bytes, nil: false
            }
        }

        var text: String {
            String(
                decoding: events.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [UInt8]() } }, as: UTF8.self)
        }
    }

    private func url(_ server: HTTPTestServer, _ path: String = "/") throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    }

    @Test func `a request arrives as it is, and so does its response`() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let server = try HTTPTestServer { request, _ in
            seen.withLock { $0 = request }
            return .response(
                HTTPResponse(status: .created, fields: ["x-one": "1"], body: .bytes(Array("content".utf8))))
        }
        let (transport, recorder) = (CurlTransport(), Recorder())
        let request = ClientRequest(
            method: "POST", url: try url(server, "/a%2Fb?c=d"), fields: ["x-two": "2", "accept": "text/plain"],
            body: Array("body".utf8))
        let exchange = transport.start(request) { recorder.receive($0) }
        #expect(recorder.events.isEmpty)
        #expect(await soon { recorder.isOver })
        guard case .head(201, let fields) = recorder.events.first else {
            Issue.record("expected a head first, got \(recorder.events)")
            return
        }
        #expect(fields["x-one"] == "1")
        #expect(recorder.text == "content")
        #expect(recorder.events.last == .finished)
        let received = try #require(seen.withLock { $0 })
        #expect(received.method == .post)
        #expect(received.target == "/a%2Fb?c=d")
        #expect(received.body == Array("body".utf8))
        #expect(received.fields.value("x-two") == "2")
        exchange.cancel()
        await server.shutdown()
    }

    @Test func `cookies are neither kept nor sent, and redirections are not followed`() async throws {
        let requests = Mutex<[HTTPRequest]>([])
        let server = try HTTPTestServer { request, _ in
            requests.withLock { $0.append(request) }
            return .response(
                HTTPResponse(status: .found, fields: ["set-cookie": "a=b; Path=/", "location": "/elsewhere"]))
        }
        let transport = CurlTransport()
        for _ in 1...2 {
            let recorder = Recorder()
            let request = ClientRequest(
                method: "POST", url: try url(server), fields: ["authorization": "Bearer secret"], body: [])
            _ = transport.start(request) { recorder.receive($0) }
            #expect(await soon { recorder.isOver })
            guard case .head(302, _) = recorder.events.first else {
                Issue.record("expected the redirection itself, got \(recorder.events)")
                return
            }
        }
        let received = requests.withLock { $0 }
        #expect(received.map(\.target) == ["/", "/"])
        #expect(received.allSatisfy { $0.fields.value("cookie") == nil })
        await server.shutdown()
    }

    @Test func `a port that nobody listens on certainly has not received the request`() async throws {
        let server = try HTTPTestServer { _, _ in .response(HTTPResponse(status: .ok)) }
        let url = try url(server)
        await server.shutdown()
        let (transport, recorder) = (CurlTransport(), Recorder())
        _ = transport.start(ClientRequest(method: "GET", url: url)) { recorder.receive($0) }
        #expect(await soon { recorder.isOver })
        guard case .failed(let failure) = recorder.events.first else {
            Issue.record("expected a failure, got \(recorder.events)")
            return
        }
        #expect(failure.isUnsent)
    }

    @Test func `a cancelled stream is closed, and sends no further events`() async throws {
        let stream = HTTPTestStream("event: a\ndata: 1\n\n")
        let server = try HTTPTestServer { _, _ in
            .response(HTTPResponse(status: .ok, fields: ["content-type": "text/event-stream"], body: .stream(stream)))
        }
        let (transport, recorder) = (CurlTransport(), Recorder())
        let exchange = transport.start(ClientRequest(method: "GET", url: try url(server))) { recorder.receive($0) }
        // The bytes arrive while the response is open.
        #expect(await soon { recorder.text == "event: a\ndata: 1\n\n" })
        exchange.cancel()
        exchange.cancel()
        let count = recorder.events.count
        #expect(await soon { await isStopped(stream, server) })
        #expect(recorder.events.count == count)
        await server.shutdown()
    }

    private func isStopped(_ stream: HTTPTestStream, _ server: HTTPTestServer) async -> Bool {
        let first = await server.onLoop(0) { _ in stream.isStopped }
        let second = await server.onLoop(1) { _ in stream.isStopped }
        return first || second
    }

    @Test func `a response that arrives while the main actor is busy takes a bounded amount of memory`() throws {
        let stream = EndlessStream()
        let server = try HTTPTestServer { _, _ in .response(HTTPResponse(status: .ok, body: .stream(stream))) }
        let (transport, recorder) = (CurlTransport(maxPendingBytes: 1 << 20), Recorder())
        let exchange = transport.start(ClientRequest(method: "GET", url: try url(server))) { recorder.receive($0) }
        // The main actor does nothing else meanwhile.
        #expect(stream.stopped.wait(timeout: .now() + 300) == .success)
        // The limit, and what the sockets and the system's queues hold.
        #expect(stream.byteCount.load(ordering: .relaxed) < 64 << 20)
        withExtendedLifetime((exchange, transport)) {}
        server.beginShutdown()
    }

    /// Content without an end. Confined to the loop of its connection, except for the properties.
    private final class EndlessStream: HTTPBodyStream, Sendable {
        let stopped = DispatchSemaphore(value: 0)
        let byteCount = Atomic(0)

        func start(_ consumer: any HTTPBodyConsumer) {}

        func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
            buffer += repeatElement(UInt8(ascii: "x"), count: limit)
            byteCount.add(limit, ordering: .relaxed)
            return .more
        }

        func stop() { stopped.signal() }
    }
}
