import Glibc
import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS

/// A client that floods an in-memory HTTP/2 server in cleartext or over TLS, and a bystander that sends requests.
final class FloodingClient {
    static let frames = 50_000

    let server: HTTPVirtualServer
    private let bystander: HTTPTestClient
    /// The maximum number of rounds for which the bystander has waited for a response.
    private(set) var mostRounds = 0
    /// The processor time of the longest round, which other clients may have to wait for.
    private(set) var longestRound = Duration.zero

    init(_ wire: HTTPTestWire) throws {
        var prepared = HTTPServerConfiguration()
        try HTTPTestWire.configure(&prepared)
        let tls = prepared.tls
        server = try HTTPVirtualServer(configure: { $0.tls = tls }) { request, _ in
            let isEndless = request.target == HTTP2TestFlood.endlessPath
            let body: HTTPResponseBody =
                isEndless ? .stream(HTTPTestStream(endless: 65)) : .bytes(Array("ok".utf8))
            return .response(HTTPResponse(status: .ok, body: body))
        }
        bystander = try wire.open(server)
        if wire.isSecure { try bystander.beginTLS(TLSTestOptions(protocols: ["http/1.1"])) }
        try probe()
    }

    /// Sends a request from the bystander, and counts the rounds until the response arrives.
    func probe() throws {
        try bystander.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let start = server.rounds
        while !bystander.pending.ends(with: Array("\r\n\r\nok".utf8)) {
            guard server.rounds - start < 1000 else { throw HTTPTestError("the bystander got no response") }
            let before = FloodingClient.processorTime
            server.runRound()
            longestRound = max(longestRound, FloodingClient.processorTime - before)
            try bystander.receiveAvailable()
        }
        mostRounds = max(mostRounds, server.rounds - start)
        _ = try bystander.receiveResponse()
    }

    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Floods until the server has closed the connection or all frames are sent. Returns the server's frames.
    func run(_ flood: HTTP2TestFlood, over wire: HTTPTestWire) throws -> [HTTP2TestFrame] {
        let client = try wire.open(server)
        if wire.isSecure { try client.beginTLS(TLSTestOptions(protocols: ["h2"])) }
        try client.send(flood.greeting)
        var (index, sent) = (0, 0)
        while sent < FloodingClient.frames, !client.hasEnded {
            var batch: [UInt8] = []
            while batch.count < 16 << 10 {
                let frames = flood.frames(index)
                batch += frames.flatMap(\.bytes)
                (index, sent) = (index + 1, sent + frames.count)
            }
            do {
                try client.send(batch)
                if flood.reads { try client.receiveAvailable() }
            } catch is HTTPTestError { break }
            try probe()
        }
        try client.receiveAvailable()
        // A connection that is still open waits for its peer to close it.
        server.advance(by: .seconds(50))
        try probe()
        try client.receiveAvailable()
        return HTTP2TestFrame.reading(client.pending)
    }
}

extension [UInt8] {
    func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
