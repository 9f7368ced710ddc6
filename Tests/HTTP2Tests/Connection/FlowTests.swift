import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Flow control of streams and connections (RFC 9113 §5.2), and its effect on reading bodies.
@Suite struct FlowTests {
    private static let initialWindow: UInt16 = 4

    @Test func `while a window is closed no content is read, and reading continues when it opens`() {
        let client = RawClient(settings: [(FlowTests.initialWindow, 0)])
        let body = ScriptedBody()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        body.append("first")
        client.step()
        body.append("second")
        client.step()
        #expect(client.frames(Frame.Kind.headers).count == 1)
        #expect(body.limits.isEmpty)
        client.send(.windowUpdate(1, by: 4))
        #expect(body.limits == [4])
        #expect(content(client, 1) == "firs")
        client.send(.windowUpdate(1, by: 100))
        #expect(content(client, 1) == "firstsecond")
        body.finish()
        client.step()
        #expect(client.frames(Frame.Kind.data).last?.flags == Frame.endStream)
        #expect(client.connection.streamCount == 0)
        #expect(!body.isStopped)
    }

    @Test func `the window of the connection limits all streams`() {
        let client = RawClient(opensConnection: false)
        let bodies = [EndlessBody(count: 50_000), EndlessBody(count: 50_000)]
        var next = bodies.makeIterator()
        client.answer = { _ in next.next().map { HTTPResponse(status: .ok, body: .stream($0)) } }
        client.send(.headers(1, RawClient.get), .headers(3, RawClient.get))
        #expect(content(client, 1).utf8.count + content(client, 3).utf8.count == 65535)
        client.send(.windowUpdate(0, by: 100_000))
        #expect(content(client, 1).utf8.count + content(client, 3).utf8.count == 100_000)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `a body without content is not read again until it notifies its consumer`() {
        let client = RawClient()
        let body = ScriptedBody()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        #expect(body.isStarted)
        let asked = body.limits.count
        #expect(asked == 1)
        for _ in 0..<10 { client.send(.ping()) }
        #expect(body.limits.count == asked)
        body.append("x")
        #expect(client.connection.hasOutput)
        client.step()
        #expect(content(client, 1) == "x")
        #expect(!client.connection.hasOutput)
    }

    @Test func `an element larger than a frame takes several frames, and the rest waits for the window`() {
        let client = RawClient(settings: [(FlowTests.initialWindow, 40_000)])
        let body = ScriptedBody()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        body.append(String(repeating: "e", count: 50_000))
        body.finish()
        client.step()
        #expect(client.frames(Frame.Kind.data).map(\.payload.count) == [16384, 16384, 7232])
        client.send(.windowUpdate(1, by: 20_000))
        #expect(content(client, 1).utf8.count == 50_000)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `small events of many streams are sent in one write`() {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        let bodies = (0..<100).map { _ in ScriptedBody() }
        var next = bodies.makeIterator()
        server.answer = { _ in next.next().map { HTTPResponse(status: .ok, body: .stream($0)) } }
        let streams = bodies.map { _ in client.request() }
        server.exchange()
        for body in bodies { body.append("event") }
        var output: [UInt8] = []
        server.connection.write(into: &output, limit: 64 << 10)
        #expect(Frame.reading(output).count == 100)
        client.receive(output)
        #expect(streams.allSatisfy { client.answers[$0]?.text == "event" })
    }

    @Test func `a write stops at its limit and the next one continues from there`() {
        let client = HTTP2TestClient(window: 1 << 24)
        client.openWindow(of: 0, by: 1 << 24)
        let server = InMemoryServer(client)
        server.answer = { _ in HTTPResponse(status: .ok, body: .stream(EndlessBody(count: 1_000_000))) }
        let stream = client.request()
        server.receive()
        var writes = 0
        repeat {
            var output: [UInt8] = []
            server.connection.write(into: &output, limit: 32 << 10)
            #expect(output.count < 32 << 10 + 16 << 10 + 100)
            client.receive(output)
            writes += 1
        } while server.connection.hasOutput && writes < 1000
        #expect(writes > 20)
        #expect(client.answers[stream]?.body.count == 1_000_000)
        #expect(client.answers[stream]?.isWhole == true)
    }

    @Test func `a large body does not delay the other streams`() {
        let client = HTTP2TestClient(window: 1 << 24)
        client.openWindow(of: 0, by: 1 << 24)
        let server = InMemoryServer(client)
        let large = [UInt8](repeating: 0x61, count: 4 << 20)
        server.answer = { request in
            let small = Array(repeating: UInt8(0x62), count: 40_000)
            return HTTPResponse(status: .ok, body: .bytes(request.target == "/large" ? large : small))
        }
        let slow = client.request("GET", "/large")
        server.receive()
        var output: [UInt8] = []
        server.connection.write(into: &output, limit: 64 << 10)
        client.receive(output)
        // The other streams complete long before the large one.
        let quick = (0..<20).map { _ in client.request() }
        server.receive()
        var sent = 0
        while !quick.allSatisfy({ client.answers[$0]?.isWhole == true }), sent < 8 << 20 {
            output = []
            server.connection.write(into: &output, limit: 64 << 10)
            sent += output.count
            client.receive(output)
        }
        #expect(client.answers[slow]?.isWhole == false)
        #expect(sent < 2 * 20 * 40_000)
    }

    @Test func `settings may arrive in pieces while responses are sent`() {
        let client = RawClient()
        var pending: [HTTP2StreamID] = []
        client.reads = false
        client.answer = { _ in nil }
        for stream in [1, 3, 5] as [Int32] {
            client.send(.headers(stream, RawClient.get))
            pending.append(HTTP2StreamID(rawValue: stream))
        }
        let settings = Frame.settings([(FlowTests.initialWindow, 1000)]).bytes
        client.send(Array(settings.prefix(9)))
        for id in pending { client.connection.respond(to: id, with: HTTPResponse(status: .noContent), date: []) }
        client.send(Array(settings.dropFirst(9)))
        #expect(client.connection.ending == nil)
        client.reads = true
        client.step()
        #expect(client.frames(Frame.Kind.headers).map(\.stream) == [1, 3, 5])
    }

    @Test func `the windows of a large request body are opened again`() {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        let body = [UInt8](repeating: 1, count: 1 << 20)
        let stream = client.request("POST", body: body)
        server.exchange()
        #expect(server.requests.first?.body == body)
        #expect(client.answers[stream]?.status == 200)
    }

    private func content(_ client: RawClient, _ stream: Int32) -> String {
        String(decoding: client.frames(Frame.Kind.data, on: stream).flatMap(\.payload), as: UTF8.self)
    }
}
