import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Response streams that a flooding client starts and abandons.
@Suite struct AbandonedStreamTests {
    /// The bodies of all responses. Accessed only on the test's thread.
    private let bodies = Lock<[HTTPTestStream]>([])

    /// Creates a server with two loops. Every response is an endless stream that is created on the given loop.
    private func server(on loop: Int) throws -> HTTPVirtualServer {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        prepared.loopCount = 2
        return try HTTPVirtualServer(configure: { $0 = prepared }, placement: { _ in loop }) { [bodies] _, _ in
            let body = HTTPTestStream("begun")
            bodies.withLock { $0.append(body) }
            return .response(HTTPResponse(status: .ok, body: .stream(body)))
        }
    }

    private static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "h")]

    /// Returns frames that request many streams and cancel them, either immediately or after the responses have begun.
    private static func requests(_ count: Int, cancelsImmediately: Bool) -> [[HTTP2TestFrame]] {
        let streams = (0..<count).map { Int32(2 * $0 + 1) }
        let requested = streams.map { HTTP2TestFrame.headers($0, get) }
        let cancelled = streams.map { HTTP2TestFrame.reset($0) }
        return cancelsImmediately ? [zip(requested, cancelled).flatMap { [$0, $1] }] : [requested, cancelled]
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS], [0, 1])
    func `a cancelled stream is stopped on the loop that created it`(_ wire: HTTPTestWire, _ loop: Int) throws {
        for cancelsImmediately in [true, false] {
            let server = try server(on: loop)
            let client = try wire.open(server)
            if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
            try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting)
            for frames in AbandonedStreamTests.requests(150, cancelsImmediately: cancelsImmediately) {
                try client.send(frames.flatMap(\.bytes))
                server.run()
                try client.receiveAvailable()
            }
            #expect(!client.hasEnded)
            #expect(bodies.withLock { $0.allSatisfy(\.isStopped) })
            if !cancelsImmediately { #expect(bodies.withLock { $0.count } == 150) }
            bodies.withLock { $0 = [] }
        }
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS], [0, 1])
    func `a connection that ends or is cut off stops all of its streams`(_ wire: HTTPTestWire, _ loop: Int) throws {
        for isEnded in [true, false] {
            let server = try server(on: loop)
            let client = try wire.open(server)
            if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
            let requested = (0..<300).map { HTTP2TestFrame.headers(Int32(2 * $0 + 1), AbandonedStreamTests.get) }
            try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting + requested.flatMap(\.bytes))
            server.run()
            #expect(bodies.withLock { $0.count } == 300)
            #expect(bodies.withLock { !$0.contains(where: \.isStopped) })
            if isEnded {
                let pings = Array(repeating: HTTP2TestFrame.ping().bytes, count: 5000)
                do { try client.send(pings.flatMap { $0 }) } catch is HTTPTestError {}
            } else {
                client.reset()
            }
            server.advance(by: .seconds(3))
            #expect(bodies.withLock { $0.allSatisfy(\.isStopped) })
            #expect(server.connectionCount == 0)
            bodies.withLock { $0 = [] }
        }
    }
}
