import Glibc
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

/// What floods leave behind in the process: a process of its own, as the other tests allocate too.
@Suite struct FloodMemoryTests {
    @Test func `memory is back after floods of every kind`() async {
        await #expect(processExitsWith: .success) {
            // The first turn fills the allocator's pools, and the buffers that a loop keeps.
            try FloodMemoryTests.floodAll()
            let before = FloodMemoryTests.residentBytes
            try FloodMemoryTests.floodAll()
            let grown = FloodMemoryTests.residentBytes - before
            precondition(grown < 4 << 20, "\(grown) bytes have been kept")
        }
    }

    private static func floodAll() throws {
        for flood in HTTP2TestFlood.all {
            for wire in [HTTPTestWire.http2, .http2OverTLS] {
                _ = try FloodingClient(wire).run(flood, over: wire)
            }
        }
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 128)
        let count = fread(&line, 1, line.count, file)
        let text = String(decoding: line.prefix(count), as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }
}
