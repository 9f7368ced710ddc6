import HTTP1
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

/// Behavior that does not depend on the HTTP version and TLS.
@Suite struct EveryWireTests {
    private static let echo: HTTPTestServer.Respond = { request, loop in
        let text =
            "\(request.method.rawValue) \(request.scheme) \(request.authority) \(request.target) "
            + "\(request.fields.value("x-a") ?? "-") \(String(decoding: request.body, as: UTF8.self))"
        return .response(HTTPResponse(status: .ok, fields: ["x-loop": "1"], body: .bytes(Array(text.utf8))))
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `requests and responses arrive unchanged`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(respond: EveryWireTests.echo)
        let client = try wire.connect(to: server)
        let answer = try client.exchange(
            "PUT", "/a%20b?c=d", host: "h:1", fields: [("x-a", "1")], body: Array("hi".utf8))
        #expect(answer.status == 200)
        #expect(answer.text == "PUT \(wire.scheme) h:1 /a%20b?c=d 1 hi")
        #expect(answer.fields.value("x-loop") == "1")
        #expect(answer.fields.value(.contentLength) == "\(answer.body.count)")
        #expect(answer.fields.value(.date)?.hasSuffix(" GMT") == true)
        let head = try client.exchange("HEAD", "/", host: "h", fields: [], body: nil)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(try client.exchange("OPTIONS", "*", host: "h", fields: [], body: nil).text.contains(" h * "))
        for index in 0..<20 { #expect(try client.get("/\(index)").text.contains("/\(index) ")) }
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `limits and their problems are the same`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(
            configure: { configuration in
                configuration.limits.bodyBytes = 100
                configuration.limits.targetBytes = 200
                configuration.limits.headBytes = 4096
                configuration.limits.fieldCount = 20
                configuration.allowedHosts = ["localhost"]
            }, respond: EveryWireTests.echo)
        let many = (0..<30).map { ("x-\($0)", "1") }
        let expectations: [(method: String, path: String, host: String, [(String, String)], [UInt8]?, Int, String)] = [
            ("POST", "/", "localhost", [], Array(repeating: 1, count: 101), 413, "body-too-large"),
            ("GET", "/" + String(repeating: "a", count: 200), "localhost", [], nil, 414, "target-too-long"),
            ("GET", "/", "localhost", [("x-a", String(repeating: "a", count: 4096))], nil, 431, "head-too-large"),
            ("GET", "/", "localhost", many, nil, 431, "head-too-large"),
            ("GET", "/", "other:80", [], nil, 421, "misdirected-request"),
            ("GET", "/", "localhost", [("expect", "magic")], nil, 417, "unknown-expectation"),
        ]
        for (method, path, host, fields, body, status, kind) in expectations {
            // HTTP/1.1 closes the connection after most of these.
            let client = try wire.connect(to: server)
            let answer = try client.exchange(method, path, host: host, fields: fields, body: body)
            #expect(answer.status == status)
            #expect(answer.fields.value(.contentType) == "application/problem+json")
            #expect(answer.fields.value(.xContentTypeOptions) == "nosniff")
            #expect(answer.text.contains("/problems/\(kind)"), "\(answer.text)")
        }
        #expect(try wire.connect(to: server).get("/").status == 200)
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `characters that browsers do not escape in a target arrive unchanged`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(respond: EveryWireTests.echo)
        let client = try wire.connect(to: server)
        for target in ["/[a]", "/a|b^c", "/100%", "/%zz", "/?q=100%", "/?%", "/?[]{}|^`\\'%zz"] {
            #expect(try client.get(target).text.contains(" \(target) "), "\(target)")
        }
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `events of either loop are sent, one write after the other`(_ wire: HTTPTestWire) async throws {
        for index in 0..<2 {
            let stream = HTTPTestStream()
            let server = try Transport.server(placement: { _ in index }) { _, _ in
                .response(
                    HTTPResponse(status: .ok, fields: ["content-type": "text/event-stream"], body: .stream(stream)))
            }
            let client = try wire.connect(to: server)
            try client.follow("/events")
            for number in 1...5 {
                await server.onLoop(index) { _ in stream.append("id: \(number)\ndata: event \(number)\n\n") }
                #expect(try client.events(1) == [ServerSentEvent(id: "\(number)", data: "event \(number)")])
            }
            await server.shutdown()
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a deferred response is sent when it is fulfilled`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server { _, loop in
            let promise = DeferredResponse()
            _ = loop.schedule(after: .milliseconds(5)) { promise.fulfil(HTTPResponse(status: .accepted)) }
            return .deferred(promise)
        }
        let client = try wire.connect(to: server)
        for _ in 0..<3 { #expect(try client.get("/").status == 202) }
        await server.shutdown()
    }

    /// A server with two loops that promises a response to `/0` and `/1`, on that loop, and counts who waits and who has left.
    private final class Waiting: Sendable {
        let counts = Lock((waiting: 0, left: 0))

        func server() throws -> HTTPTestServer {
            try Transport.server(placement: { Int($0.target.dropFirst()) }) { [self] request, _ in
                guard request.target != "/" else { return .response(HTTPResponse(status: .ok)) }
                let promise = DeferredResponse()
                promise.whenClientLeaves { [self] in
                    counts.withLock { $0.left += 1 }
                    promise.fulfil(HTTPResponse(status: .noContent))
                }
                counts.withLock { $0.waiting += 1 }
                return .deferred(promise)
            }
        }

        func wait(for waiting: Int, left: Int) async -> Bool {
            await eventually { self.counts.withLock { $0 == (waiting, left) } }
        }
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `a responder learns that a client has closed the connection before the response`(
        _ wire: HTTPTestWire
    ) async throws {
        let waiting = Waiting()
        let server = try waiting.server()
        var count = 0
        for path in ["/0", "/1"] {
            for isAbrupt in [false, true] {
                // The first request of a connection takes another way to its loop than the next ones.
                for isFirst in [false, true] {
                    let client = try wire.connect(to: server)
                    if !isFirst { #expect(try client.get("/").status == 200) }
                    try client.begin(path)
                    count += 1
                    #expect(await waiting.wait(for: count, left: count - 1), "\(path)")
                    if isAbrupt { client.socket.reset() } else { client.socket.close() }
                    #expect(await waiting.wait(for: count, left: count), "\(path), abrupt: \(isAbrupt)")
                }
            }
        }
        await server.shutdown()
    }

    @Test func `a client that closes its sending side gets what the responder knows by then`() async throws {
        let waiting = Waiting()
        let server = try waiting.server()
        for (count, path) in ["/0", "/1"].enumerated() {
            let client = try server.connect()
            try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await waiting.wait(for: count + 1, left: count))
            client.finishSending()
            #expect(try client.receiveResponse().status == 204)
        }
        // Also if that is known before the request.
        let client = try server.connect()
        try client.send("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.finishSending()
        #expect(try client.receiveResponse().status == 204)
        await server.shutdown()
    }

    @Test(arguments: Transport.allCases)
    func `a responder learns that a client has cancelled a request before the response`(
        _ transport: Transport
    ) async throws {
        let waiting = Waiting()
        let server = try waiting.server()
        let client = try transport.connect(server)
        for (count, path) in ["/0", "/1"].enumerated() {
            let stream = client.session.request("GET", path)
            try client.send()
            #expect(await waiting.wait(for: count + 1, left: count))
            client.session.cancel(stream)
            try client.send()
            #expect(await waiting.wait(for: count + 1, left: count + 1))
        }
        #expect(try client.exchange("GET", "/").status == 200)
        await server.shutdown()
    }

    @Test(arguments: HTTPTestWire.allCases)
    func `large content arrives complete in both directions`(_ wire: HTTPTestWire) async throws {
        let server = try Transport.server(configure: { $0.limits.bodyBytes = 4 << 20 }) { request, _ in
            .response(HTTPResponse(status: .ok, body: .bytes(request.body)))
        }
        let large = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 5) }
        let client = try wire.connect(to: server)
        #expect(try client.exchange("POST", "/", host: "h", fields: [], body: large).body == large)
        await server.shutdown()
    }
}
