import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Endless pipelined HTTP/1.1 requests on one connection.
@Suite struct PipelineFloodTests {
    private static let batch = Array(
        String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 500).utf8)

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `fifty thousand requests are answered without delaying other clients`(_ wire: HTTPTestWire) throws {
        let bystander = try FloodingClient(wire)
        let undisturbed = bystander.mostRounds
        let client = try wire.connect(to: bystander.server).socket
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        bystander.server.run()
        try client.receiveAvailable()
        let answer = client.pending
        try client.discard()
        for _ in 0..<100 {
            try client.send(PipelineFloodTests.batch)
            try bystander.probe()
            bystander.server.run()
            try client.receiveAvailable()
            // All responses have the same length: only the date can differ.
            #expect(client.pending.count == 500 * answer.count)
            #expect(client.pending.ends(with: Array("\r\n\r\nok".utf8)))
            try client.discard()
        }
        #expect(bystander.mostRounds == undisturbed)
        #expect(bystander.server.connectionCount == 2)
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a client that reads no responses is no longer read from, and times out`(_ wire: HTTPTestWire) throws {
        let bystander = try FloodingClient(wire)
        let client = try wire.connect(to: bystander.server, receiveBuffer: 4096).socket
        var sent = 0
        // Only what fits into the kernel's buffers can be sent.
        #expect(throws: HTTPTestError.self) {
            for _ in 0..<10_000 {
                try client.send(PipelineFloodTests.batch)
                sent += PipelineFloodTests.batch.count
            }
        }
        #expect(sent < 4 << 20)
        bystander.server.advance(by: .seconds(44))
        #expect(bystander.server.connectionCount == 2)
        bystander.server.advance(by: .seconds(2))
        #expect(bystander.server.connectionCount == 1)
        try bystander.probe()
    }
}
