import Foundation
import HTTPServerTesting
import Testing

struct DrainingTests {
    @Test func `two thousand streams get their last event and a retry field each, and end regularly`() async throws {
        let count = 2000
        let granary = try GranaryProcess([
            "serve", "--http.port", "0", "--sessions.maxStreamsPerSession", "\(count)", "--http.headTimeout", "10m",
            // Longer than the tests may take: the server has to end before.
            "--http.drainTimeout", "24h",
        ])
        let address = try #require(granary.address())
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        let session = try Curl.run([
            "-o", "/dev/null", "-w", "%header{location}", "http://\(address)/v1/sessions", "-H",
            "Content-Type: application/json", "-d", #"{"machine":"counter"}"#,
        ])
        let process = granary.process.processIdentifier
        let outcome = await onThread { Result { try Self.follow(session, port, count) { kill(process, SIGTERM) } } }
        let ends = try outcome.get()
        #expect(ends.allSatisfy { $0.reason == "draining" && !$0.wasReset })
        let retries = Set(ends.compactMap(\.retry))
        #expect(retries.count > 100, "\(count / max(1, retries.count)) of \(count) clients reconnect at the same time")
        let status = await onThread { [process = granary.process] in
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(status == 0)
    }

    /// The end of a stream.
    struct End: Sendable {
        var reason = ""
        var retry: Int?
        var wasReset = false
    }

    /// Opens streams, shuts the server down, and reads each stream to its end.
    private static func follow(
        _ session: String, _ port: UInt16, _ count: Int, then end: () -> Void
    ) throws -> [End] {
        let request = "GET \(session)/outputs HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        let streams = try (0..<count).map { _ in
            let stream = try HTTPTestClient(port: port)
            try stream.send(request)
            return stream
        }
        for stream in streams { try stream.receive(until: { $0.count > 0 }) }
        end()
        return try streams.map { stream in
            let text = String(decoding: try stream.receiveToEnd(), as: UTF8.self)
            stream.close()
            let last = text.firstMatch(of: /retry: (\d+)\nevent: end\ndata: {"reason":"(\w+)"}\n\n/)
            return End(
                reason: last.map { String($0.2) } ?? text, retry: last.flatMap { Int($0.1) },
                wasReset: stream.wasReset)
        }
    }
}
