import Foundation
import HTTP2
import HTTPServer
import HTTPServerTesting
import Testing

/// Every HTTP/2 flood against a complete server: loop, socket, TLS and engine.
@Suite struct ServerFloodTests {
    @Test(arguments: HTTP2TestFlood.all, [HTTPTestWire.http2, .http2OverTLS])
    func `a flood is ended without affecting other clients`(_ flood: HTTP2TestFlood, _ wire: HTTPTestWire) throws {
        let client = try FloodingClient(wire)
        let undisturbed = client.mostRounds
        let frames = try client.run(flood, over: wire)
        // A client that has sent GOAWAY itself does not get a reason.
        if flood.frames(0).first?.kind != HTTP2TestFrame.Kind.goAway {
            let farewell = try #require(frames.last)
            #expect(farewell.kind == HTTP2TestFrame.Kind.goAway)
            #expect(farewell.code != HTTP2ErrorCode.noError.rawValue)
        }
        // The output responds to a few thousand frames, not to fifty thousand.
        #expect(frames.count < 10_000)
        // Only the bystander is still connected, and it has not waited longer than before the flood.
        #expect(client.server.connectionCount == 1)
        #expect(client.mostRounds == undisturbed)
    }

    // How much one round does is counted in `StepTests`.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["MEASURE_TIME"] != nil, "It measures time."),
        arguments: HTTP2TestFlood.all, [HTTPTestWire.http2, .http2OverTLS])
    func `no round of a flood takes long`(_ flood: HTTP2TestFlood, _ wire: HTTPTestWire) throws {
        let client = try FloodingClient(wire)
        _ = try client.run(flood, over: wire)
        #expect(client.longestRound < .milliseconds(500))
    }
}
