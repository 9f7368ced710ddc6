import Dispatch
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import HTTPTransfer
import Locking
import TLS
import Testing

/// Transfers from servers that are hostile, broken or absent. None of them may do more than fail.
@Suite struct HostileServerTests {
    private let client = TransferClient()

    /// Returns the events of a request to a server that reads its head and then runs a script.
    private func recording(
        of request: (URL) -> TransferRequest = { TransferRequest($0) },
        _ script: @escaping @Sendable (RawServer.Connection) -> Void
    ) async throws -> Recording {
        let server = try RawServer { connection in
            connection.readHead()
            script(connection)
        }
        let recording = await client.record(request(server.url))
        #expect(recording.failures.count == 1)
        return recording
    }

    private static let heads = [
        "", "H", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ]

    @Test(arguments: heads, [false, true])
    func `a head that is cut off is a failure`(head: String, isReset: Bool) async throws {
        let recording = try await recording { connection in
            if isReset { connection.reset() }
            connection.send(head)
        }
        #expect(recording.heads.isEmpty)
        #expect(
            recording.isCutOff(hasHead: false)
                || recording.failures.first.map { if case .notHTTP? = $0 { true } else { false } } == true)
        #expect(recording.failures.first??.isUnsent == false)
    }

    @Test(arguments: [
        "Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "Transfer-Encoding: chunked\r\n\r\n8\r\nabc",
    ])
    func `content that is cut off is a failure`(rest: String) async throws {
        let recording = try await recording { $0.send("HTTP/1.1 200 OK\r\n\(rest)") }
        #expect(recording.heads.map(\.status) == [200])
        #expect(recording.text == "abc")
        #expect(recording.isCutOff(hasHead: true))
    }

    @Test func `a connection that is reset within the content is a failure`() async throws {
        let seen = Lock<RawServer.Connection?>(nil)
        let mayReset = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            connection.readHead()
            seen.withLock { $0 = connection }
            connection.send("HTTP/1.1 200 OK\r\n\r\nabc")
            mayReset.wait()
            connection.reset()
        }
        let recording = await client.record(
            TransferRequest(server.url),
            watch: { _, event in
                if case .bytes = event { mayReset.signal() }
            })
        #expect(recording.text == "abc")
        #expect(recording.isCutOff(hasHead: true))
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}(", "<html></html>", "\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
    ])
    func `garbage in the place of a response is a failure`(garbage: String) async throws {
        let recording = try await recording { $0.send(garbage) }
        #expect(recording.heads.isEmpty)
        #expect(recording.failures.first??.isUnsent == false)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc", "HTTP/1.1 200 OK\r\n: \r\nno colon\r\n\0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
    ])
    func `a malformed response ends`(response: String) async throws {
        _ = try await recording(of: { TransferRequest($0) { _ in true } }) { $0.send(response) }
    }

    @Test(arguments: ["A: b\r\n", "A: \(String(repeating: "b", count: 5000))\r\n", "A", "\u{0}", "\r\n x"])
    func `a head without an end is a failure`(line: String) async throws {
        let recording = try await recording { connection in
            connection.send("HTTP/1.1 200 OK\r\nB: c")
            connection.sendForever(line)
        }
        #expect(recording.heads.isEmpty)
    }

    @Test func `endless heads before the response are a failure`() async throws {
        let recording = try await recording { $0.sendForever("HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n") }
        #expect(recording.heads.isEmpty)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"])
    func `endless content is a failure at the limit`(head: String) async throws {
        let recording = try await recording(of: { TransferRequest($0, maxBytes: 100_000) { _ in true } }) {
            connection in
            connection.send(head)
            connection.sendForever(String(repeating: "x", count: 1000))
        }
        #expect(recording.failures == [.tooLarge(limit: 100_000)])
        #expect(recording.body.count <= 100_000)
    }

    @Test func `content that fits exactly is complete, and one byte more is a failure`() async throws {
        for (limit, failure) in [(5, nil), (4, TransferFailure.tooLarge(limit: 4))] {
            let recording = try await recording(of: { TransferRequest($0, maxBytes: limit) }) {
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde")
            }
            #expect(recording.failures == [failure])
        }
    }

    @Test func `endless trailers are a failure`() async throws {
        let recording = try await recording { connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            connection.sendForever("A: b\r\n")
        }
        #expect(recording.failures != [nil])
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
    func `a server that is silent exceeds the idle timeout`(beginning: String) async throws {
        let recording = try await recording(of: { TransferRequest($0, idleTimeout: .milliseconds(50)) }) { connection in
            connection.send(beginning)
            connection.waitForClose()
        }
        #expect(recording.failures == [.timedOut])
    }

    @Test func `a server that sends forever exceeds the total timeout`() async throws {
        let recording = try await recording(of: {
            TransferRequest($0, idleTimeout: .seconds(600), totalTimeout: .milliseconds(100))
        }) { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.sendForever("x")
        }
        #expect(recording.failures == [.timedOut])
    }

    @Test func `a request that nobody accepts was certainly not sent`() async throws {
        let port = try HTTPTestHeldPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
        let recording = await client.record(TransferRequest(url))
        #expect(recording.failures.first??.isUnsent == true)
        withExtendedLifetime(port) {}
    }

    @Test func `a host that does not exist, and one without TLS, were certainly not sent a request`() async throws {
        // A label is longer than names may have, so the resolver knows it without asking a server.
        let name = String(repeating: "a", count: 64) + ".invalid"
        let server = try RawServer { $0.send("HTTP/1.1 200 OK\r\n\r\n") }
        for address in ["http://\(name)/", "https://127.0.0.1:\(server.port)/"] {
            let recording = await client.record(TransferRequest(try #require(URL(string: address))))
            #expect(recording.failures.count == 1)
            #expect(recording.failures.first??.isUnsent == true, "\(recording.failures)")
        }
    }

    @Test func `a server whose certificate the system does not trust gets no request`() async throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        let count = Lock(0)
        let server = try HTTPTestServer(configure: { $0.tls = HTTPServerTLS(source: source, port: 0) }) { _, _ in
            count.withLock { $0 += 1 }
            return .response(HTTPResponse(status: .ok))
        }
        let url = try #require(URL(string: "https://localhost:\(server.securePort)/"))
        let recording = await client.record(TransferRequest(url))
        #expect(recording.failures.first??.isUnsent == true, "\(recording.failures)")
        await server.shutdown()
        #expect(count.withLock(\.self) == 0)
    }

    @Test(arguments: [
        ("GET /", "/", "a", "b"), ("", "/", "a", "b"), ("GET", "file:///etc/passwd", "a", "b"),
        ("GET", "ftp://a/", "a", "b"),
        ("GET", "/", "a:", "b"), ("GET", "/", "", "b"), ("GET", "/", "a", "b\r\nc: d"), ("GET", "/", "a", "b\0"),
    ])
    func `an invalid request is not sent`(method: String, target: String, name: String, value: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let url = try #require(URL(string: target, relativeTo: server.url))
        let recording = await client.record(TransferRequest(url, method: method, fields: [(name, value)]))
        guard case .invalidRequest? = recording.failures.first else {
            Issue.record("expected an invalid request, got \(recording.failures)")
            return
        }
    }
}
