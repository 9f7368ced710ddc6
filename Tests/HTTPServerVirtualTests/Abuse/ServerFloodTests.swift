import HTTP2
import HTTP2Testing
import HTTPServer
import HTTPServerTesting
import Testing

/// Every flood of HTTP/2 against the whole server: loop, socket, TLS, engine.
@Suite struct ServerFloodTests {
    @Test(arguments: HTTP2TestFlood.all, [HTTPTestWire.http2, .http2OverTLS])
    func `a flood is ended, and nobody beside it notices`(_ flood: HTTP2TestFlood, _ wire: HTTPTestWire) throws {
        let client = try FloodingClient(wire)
        let undisturbed = client.mostRounds
        let frames = try client.run(flood, over: wire)
        // A client that has said goodbye itself is not told why.
        if flood.frames(0).first?.kind != HTTP2TestFrame.Kind.goAway {
            let farewell = try #require(frames.last)
            #expect(farewell.kind == HTTP2TestFrame.Kind.goAway)
            #expect(farewell.code != HTTP2ErrorCode.noError.rawValue)
        }
        // What it was answered is that of a few thousand frames, not of fifty thousand.
        #expect(frames.count < 10_000)
        // Only the bystander is left, and it has waited no longer than before the flood.
        #expect(client.server.connectionCount == 1)
        #expect(client.mostRounds == undisturbed)
        #expect(client.longestRound < .milliseconds(500))
    }
}
