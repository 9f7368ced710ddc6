import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

@Suite struct TimeTests {
    @Test func `a drain sends GOAWAY twice and lets the streams finish`() {
        let client = HTTP2TestClient()
        let server = InMemoryServer(client)
        let body = ScriptedBody()
        server.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        let stream = client.request()
        server.exchange()
        server.connection.drain(now: server.now)
        var output: [UInt8] = []
        server.connection.write(into: &output, limit: 64 << 10)
        client.receive(output)
        #expect(client.goAways.map(\.lastStream) == [Int32.max])
        // The client's acknowledgement of the ping shows that it has received the first GOAWAY.
        server.exchange()
        #expect(client.goAways.map(\.lastStream) == [Int32.max, stream])
        #expect(client.goAways.allSatisfy { $0.code == 0 })
        #expect(!server.connection.isFinished)
        body.append("bye")
        body.finish()
        server.exchange()
        #expect(client.answers[stream]?.text == "bye")
        #expect(client.answers[stream]?.isWhole == true)
        #expect(server.connection.isFinished)
        #expect(server.connection.ending == nil)
    }

    @Test func `a request in flight when the drain is announced still gets its response`() {
        let client = RawClient()
        client.connection.drain(now: client.now)
        client.step()
        client.send(.headers(1, RawClient.get))
        #expect(client.requests.count == 1)
        client.pass(.seconds(1))
        let last = client.frames(Frame.Kind.goAway).map { $0.payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
        #expect(last == [Int(Int32.max), 1])
        #expect(client.connection.isFinished)
    }

    @Test func `the final GOAWAY is sent after the grace period if the client does not acknowledge the ping`() {
        let client = RawClient()
        client.connection.drain(now: client.now)
        client.step()
        #expect(client.frames(Frame.Kind.goAway).count == 1)
        #expect(!client.connection.isFinished)
        client.pass(.milliseconds(999))
        #expect(client.frames(Frame.Kind.goAway).count == 1)
        client.pass(.milliseconds(1))
        #expect(client.frames(Frame.Kind.goAway).count == 2)
        #expect(client.connection.isFinished)
    }

    @Test func `a second drain has no effect`() {
        let client = RawClient()
        client.connection.drain(now: client.now)
        client.connection.drain(now: client.now)
        client.step()
        #expect(client.frames(Frame.Kind.goAway).count == 1)
    }

    @Test func `an idle connection is drained, one with an open stream is not`() {
        let client = RawClient()
        let body = SilentBody()
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.pass(.seconds(59))
        client.send(.headers(1, RawClient.get))
        client.pass(.seconds(600))
        #expect(client.frames(Frame.Kind.goAway).isEmpty)
        client.send(.reset(1))
        client.pass(.seconds(59))
        #expect(client.frames(Frame.Kind.goAway).isEmpty)
        client.pass(.seconds(2))
        #expect(client.frames(Frame.Kind.goAway).count == 2)
        #expect(client.connection.isFinished)
        #expect(client.connection.ending == nil)
    }

    @Test func `a connection reaches its maximum age less its jitter`() {
        var limits = HTTP2Limits()
        limits.maximumAge = .seconds(1000)
        for (jitter, age) in [(0.0, 1000), (0.5, 950), (1.0, 900)] {
            let start = MonotonicTime(nanoseconds: 5_000_000_000)
            let connection = HTTP2Connection(
                limits: limits, scheme: "http", peer: .unknown, now: start, jitter: jitter)
            let greeting = HTTP2Preface.bytes + Frame.settings().bytes + Frame.headers(1, RawClient.get).bytes
            greeting.withUnsafeBytes { connection.receive($0, now: start) }
            var output: [UInt8] = []
            connection.write(into: &output, limit: 1 << 20)
            output = []
            connection.timePassed(now: start + .seconds(age) - .milliseconds(1))
            connection.write(into: &output, limit: 1 << 20)
            #expect(!Frame.reading(output).contains { $0.kind == Frame.Kind.goAway })
            connection.timePassed(now: start + .seconds(age))
            connection.write(into: &output, limit: 1 << 20)
            #expect(Frame.reading(output).contains { $0.kind == Frame.Kind.goAway })
        }
    }

    @Test func `a client that does not start the handshake times out`() {
        let client = RawClient(greets: false)
        client.send(HTTP2Preface.bytes)
        client.pass(.seconds(9))
        #expect(client.connection.ending == nil)
        client.pass(.seconds(1))
        #expect(client.connection.ending == .handshakeTimeout)
        #expect(client.connection.isFinished)
    }

    @Test func `a header block that does not end times out`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.get, endsHeaders: false))
        client.pass(.seconds(9))
        client.send(.continuation(1, []))
        #expect(client.connection.ending == nil)
        client.pass(.seconds(1))
        #expect(client.connection.ending == .headTimeout)
    }

    @Test func `a body that does not arrive in time gets an error response`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.post, endsStream: false), .headers(3, RawClient.post, endsStream: false))
        client.send(.data(3, Array(repeating: 1, count: 16_384), endsStream: false))
        client.pass(.seconds(9))
        #expect(client.refusals.isEmpty)
        client.pass(.seconds(2))
        #expect(client.refusals == [.bodyTimeout])
        // The content received on the other stream extends its timeout by four seconds.
        client.pass(.seconds(5))
        #expect(client.refusals == [.bodyTimeout, .bodyTimeout])
        #expect(client.requests.isEmpty)
    }

    @Test func `a window that stays closed resets its stream only`() {
        let client = RawClient(settings: [(4, 10)])
        let bodies = [ScriptedBody(), ScriptedBody()]
        var next = bodies.makeIterator()
        client.answer = { _ in next.next().map { HTTPResponse(status: .ok, body: .stream($0)) } }
        client.send(.headers(1, RawClient.get), .headers(3, RawClient.get))
        bodies[0].append("more than ten bytes")
        client.step()
        client.pass(.seconds(40))
        #expect(!bodies[0].isStopped)
        client.pass(.seconds(20))
        #expect(bodies[0].isStopped)
        #expect(!bodies[1].isStopped)
        #expect(client.frames(Frame.Kind.reset).map(\.stream) == [1])
        #expect(client.connection.ending == nil)
    }

    @Test func `a window that is opened byte by byte counts as closed`() {
        let client = RawClient(settings: [(4, 0)])
        let body = EndlessBody(count: 1 << 20)
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<20 {
            client.send(.windowUpdate(1, by: 1))
            client.pass(.seconds(4))
        }
        #expect(client.frames(Frame.Kind.reset).map(\.stream) == [1])
    }

    @Test func `a slow reader that keeps reading is not reset`() {
        let client = RawClient(settings: [(4, 0)])
        let body = EndlessBody(count: 1 << 20)
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        for _ in 0..<20 {
            client.send(.windowUpdate(1, by: 2000))
            client.pass(.seconds(30))
        }
        #expect(client.frames(Frame.Kind.reset).isEmpty)
    }

    @Test func `a connection whose window stays closed is ended`() {
        let client = RawClient(opensConnection: false, settings: [(4, 1 << 20)])
        client.answer = { _ in HTTPResponse(status: .ok, body: .stream(EndlessBody(count: 1 << 20))) }
        client.send(.headers(1, RawClient.get))
        client.pass(.seconds(40))
        #expect(client.connection.ending == nil)
        client.pass(.seconds(20))
        #expect(client.connection.ending == .stalled)
    }
}

extension MonotonicTime {
    static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime { time + (.zero - duration) }
}
