import HTTP2Testing
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// What becomes of the answers that a flood has had begun.
@Suite struct AbandonedStreamTests {
    /// All streams that were answered with. Touched while the server runs, and between.
    private let bodies = Lock<[HTTPTestStream]>([])

    /// A server of two loops, whose every answer is a stream that begins and never ends, made on one of them.
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

    /// Asks on many streams, which the client leaves at once, or once it has read what they begin with.
    private static func asking(_ count: Int, leavesAtOnce: Bool) -> [[HTTP2TestFrame]] {
        let streams = (0..<count).map { Int32(2 * $0 + 1) }
        let asked = streams.map { HTTP2TestFrame.headers($0, get) }
        let left = streams.map { HTTP2TestFrame.reset($0) }
        return leavesAtOnce ? [zip(asked, left).flatMap { [$0, $1] }] : [asked, left]
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS], [0, 1])
    func `every stream that is left is stopped where it is made`(_ wire: HTTPTestWire, _ loop: Int) throws {
        for leavesAtOnce in [true, false] {
            let server = try server(on: loop)
            let client = try wire.open(server)
            if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
            try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting)
            for frames in AbandonedStreamTests.asking(150, leavesAtOnce: leavesAtOnce) {
                try client.send(frames.flatMap(\.bytes))
                server.run()
                try client.receiveAvailable()
            }
            #expect(!client.hasEnded)
            #expect(bodies.withLock { $0.allSatisfy(\.isStopped) })
            if !leavesAtOnce { #expect(bodies.withLock { $0.count } == 150) }
            bodies.withLock { $0 = [] }
        }
    }

    @Test(arguments: [HTTPTestWire.http2, .http2OverTLS], [0, 1])
    func `a connection that is ended, or breaks off, leaves none running`(_ wire: HTTPTestWire, _ loop: Int) throws {
        for isEnded in [true, false] {
            let server = try server(on: loop)
            let client = try wire.open(server)
            if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
            let asked = (0..<300).map { HTTP2TestFrame.headers(Int32(2 * $0 + 1), AbandonedStreamTests.get) }
            try client.send(HTTP2TestFlood(name: "") { _ in [] }.greeting + asked.flatMap(\.bytes))
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
