import HTTPModel
import HTTPServerTesting
import Synchronization
import Testing

@testable import HTTPTarget

@Suite struct EventFeedsTests {
    @Test(arguments: TargetWire.allCases)
    func `events are numbered and the stream ends`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let answer = try target.ask("/events?interval=0.01&count=5", over: wire)
        #expect(answer.fields.value(.contentType) == "text/event-stream")
        #expect(answer.events.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(answer.events.map(\.data) == (1...5).map { "{\"number\":\($0)}" })
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `a stream resumes after the last received event`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        func ids(after last: String) throws -> [String] {
            try target.ask("/events?interval=0&count=4", over: wire, fields: [("last-event-id", last)]).events.map(\.id)
        }
        #expect(try ids(after: "2") == ["3", "4"])
        #expect(try ids(after: "0") == ["1", "2", "3", "4"])
        for stranger in ["5", "-1", "x", "99999999999999999999"] {
            #expect(try ids(after: stranger) == ["1", "2", "3", "4"])
        }
        let over = try target.ask("/events?count=4", over: wire, fields: [("last-event-id", "4")])
        #expect(over.status == 204)
        #expect(over.body.isEmpty)
        await target.server.shutdown()
    }

    @Test func `parameters out of range are rejected`() async throws {
        let target = try RunningTarget()
        for query in ["interval=-1", "interval=11", "interval=nan", "count=0", "count=-1", "count=1.5", "count=x"] {
            #expect(try target.ask("/events?\(query)").status == 400, "\(query)")
        }
        await target.server.shutdown()
    }

    @Test func `a reader that stops reading pauses an endless stream`() throws {
        let produced = Produced()
        let server = try HTTPVirtualServer { request, loop in
            do throws(ProblemDetails) {
                var response = try EventFeeds(loop: loop).response(to: request)
                if case .stream(let events) = response.body {
                    response.body = .stream(MeasuredStream(events) { produced.add($0) })
                }
                return .response(response)
            } catch {
                return .response(error.response)
            }
        }
        defer { server.end() }
        let client = try server.connect(receiveBuffer: 4096)
        try client.send("GET /events?interval=0&count=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receiveHead()
        // While nothing is read, the server can send far less than the 3 MiB that are available.
        server.run()
        let held = produced.bytes
        #expect((1...(512 << 10)).contains(held))
        server.advance(by: .seconds(5))
        #expect(produced.bytes == held)
        let events = try client.receiveEvents(100_000)
        #expect(events.map(\.id) == (1...100_000).map(String.init))
        #expect(produced.bytes > 3 << 20)
    }

    @Test(arguments: [TargetWire.http1, .http1OverTLS])
    func `a drain ends streams with a final event and slow responses immediately`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let stream = try target.connect(wire)
        try stream.send("GET /events?interval=10 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try stream.receiveHead()
        #expect(try stream.receiveEvents(1).map(\.id) == ["1"])
        let slow = try target.connect(wire)
        // The response to the first request shows that the bytes have arrived.
        try slow.send(
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /slow?seconds=60 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try slow.receiveResponse().status == 200)
        // Otherwise the slow response would be cut off before its minute has passed.
        await target.server.shutdown()
        #expect(try stream.receiveEvents(1).map(\.event) == ["end"])
        #expect(try slow.receiveResponse().body == Array("At last.\n".utf8))
    }
}

/// The number of bytes that a body has produced.
private final class Produced: Sendable {
    private let count = Atomic(0)

    var bytes: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}

/// A body that counts the bytes read from it.
private final class MeasuredStream: HTTPBodyStream {
    private let body: any HTTPBodyStream
    private let count: (Int) -> Void

    init(_ body: any HTTPBodyStream, count: @escaping (Int) -> Void) {
        self.body = body
        self.count = count
    }

    func start(_ consumer: any HTTPBodyConsumer) { body.start(consumer) }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        let before = buffer.count
        defer { count(buffer.count - before) }
        return body.read(into: &buffer, limit: limit)
    }

    func stop() { body.stop() }
}
