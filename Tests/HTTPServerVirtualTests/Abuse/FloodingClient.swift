import Glibc
import HTTP2Testing
import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS

/// A flood of HTTP/2 over a whole server in memory, in cleartext or over TLS, and a client beside it.
final class FloodingClient {
    static let frames = 50_000

    let server: HTTPVirtualServer
    private let bystander: HTTPTestClient
    /// The most rounds that the bystander has waited for an answer.
    private(set) var mostRounds = 0
    /// The processor time of the longest round, which is what others may have to wait for.
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

    /// Has the bystander ask, and counts the rounds until it has its answer.
    func probe() throws {
        try bystander.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let start = server.rounds
        while !bystander.pending.ends(with: Array("\r\n\r\nok".utf8)) {
            guard server.rounds - start < 1000 else { throw HTTPTestError("the bystander was forgotten") }
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

    /// Floods until the server has closed the connection, or all frames are sent. Answers what the server said.
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
        // What is still open waits for its peer to close.
        server.advance(by: .seconds(50))
        try probe()
        try client.receiveAvailable()
        return HTTP2TestFrame.reading(client.pending)
    }
}

extension [UInt8] {
    func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
