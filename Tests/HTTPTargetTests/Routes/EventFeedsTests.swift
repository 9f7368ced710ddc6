import HTTP2Testing
import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPTarget

@Suite struct EventFeedsTests {
    @Test(arguments: TargetWire.allCases)
    func `events are numbered and end`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let answer = try target.ask("/events?interval=0.01&count=5", over: wire)
        #expect(answer.fields.value(.contentType) == "text/event-stream")
        #expect(answer.events.map(\.id) == ["1", "2", "3", "4", "5"])
        #expect(answer.events.map(\.data) == (1...5).map { "{\"number\":\($0)}" })
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `a stream goes on behind the last event that was seen`(_ wire: TargetWire) async throws {
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

    @Test func `parameters out of bounds are refused`() async throws {
        let target = try RunningTarget()
        for query in ["interval=-1", "interval=11", "interval=nan", "count=0", "count=-1", "count=1.5", "count=x"] {
            #expect(try target.ask("/events?\(query)").status == 400, "\(query)")
        }
        await target.server.shutdown()
    }

    @Test func `a reader that stops holds a stream without limit back`() async throws {
        let target = try RunningTarget()
        let client = try target.connect(.http1)
        try client.send("GET /events?interval=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receiveHead()
        #expect(try client.receiveEvents(10_000).map(\.id).prefix(3) == ["1", "2", "3"])
        client.close()
        #expect(try target.ask("/").status == 200)
        await target.server.shutdown()
    }

    @Test(arguments: [TargetWire.http1, .http1OverTLS])
    func `a drain ends streams with a word and slow answers at once`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let stream = try target.connect(wire)
        try stream.send("GET /events?interval=10 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try stream.receiveHead()
        #expect(try stream.receiveEvents(1).map(\.id) == ["1"])
        let slow = try target.connect(wire)
        // What is behind it shows that the first request has been taken.
        try slow.send(
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /slow?seconds=60 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try slow.receiveResponse().status == 200)
        // It would be cut off before its minute is over.
        await target.server.shutdown()
        #expect(try stream.receiveEvents(1).map(\.event) == ["end"])
        #expect(try slow.receiveResponse().body == Array("At last.\n".utf8))
    }
}
