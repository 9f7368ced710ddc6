import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Requests of HTTP/1.1 without end, on one connection.
@Suite struct PipelineFloodTests {
    private static let batch = Array(
        String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 500).utf8)

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `fifty thousand of them are answered, and nobody beside waits longer`(_ wire: HTTPTestWire) throws {
        let beside = try FloodingClient(wire)
        let undisturbed = beside.mostRounds
        let client = try wire.connect(to: beside.server).socket
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        beside.server.run()
        try client.receiveAvailable()
        let answer = client.pending
        try client.discard()
        for _ in 0..<100 {
            try client.send(PipelineFloodTests.batch)
            try beside.probe()
            beside.server.run()
            try client.receiveAvailable()
            // Every answer is as long as the first: only the time in it may be another.
            #expect(client.pending.count == 500 * answer.count)
            #expect(client.pending.ends(with: Array("\r\n\r\nok".utf8)))
            try client.discard()
        }
        #expect(beside.mostRounds == undisturbed)
        #expect(beside.server.connectionCount == 2)
    }

    @Test(arguments: [HTTPTestWire.http1, .http1OverTLS])
    func `a client that reads none of its answers is not heard any more, and goes in time`(
        _ wire: HTTPTestWire
    ) throws {
        let beside = try FloodingClient(wire)
        let client = try wire.connect(to: beside.server, receiveBuffer: 4096).socket
        var sent = 0
        // What fits into the buffers of the kernel, and no more.
        #expect(throws: HTTPTestError.self) {
            for _ in 0..<10_000 {
                try client.send(PipelineFloodTests.batch)
                sent += PipelineFloodTests.batch.count
            }
        }
        #expect(sent < 4 << 20)
        beside.server.advance(by: .seconds(44))
        #expect(beside.server.connectionCount == 2)
        beside.server.advance(by: .seconds(2))
        #expect(beside.server.connectionCount == 1)
        try beside.probe()
    }
}
