import HTTPModel
import HTTPServerTesting

/// A client that reads an event stream over its own connection.
final class ServedStream {
    private let socket: HTTPTestClient
    private let multiplexed: HTTP2TestConnection?
    private var stream: Int32?
    private var parser = EventStreamParser()
    private var events: [ServerSentEvent] = []
    private var parsed = 0

    init(_ version: ServedRoutes.Version, port: UInt16, _ path: String, after id: String) throws {
        socket = try HTTPTestClient(port: port)
        multiplexed = version == .http2 ? try HTTP2TestConnection(over: socket) : nil
        let position = id.isEmpty ? [] : [("last-event-id", id)]
        guard let multiplexed else {
            let lines = position.map { "\($0.0): \($0.1)\r\n" }.joined()
            try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(lines)\r\n")
            guard try socket.receiveHead().status == 200 else { throw HTTPTestError("no stream was opened") }
            return
        }
        stream = multiplexed.session.request(
            "GET", path, authority: "localhost", fields: [("accept", "text/event-stream")] + position, body: nil)
    }

    /// The id from which to continue.
    private(set) var lastEventID = ""

    /// Waits for a number of events.
    func next(_ count: Int) throws -> [ServerSentEvent] {
        if let multiplexed, let stream {
            try multiplexed.wait("\(count) events") { session in
                let body = session.answers[stream]?.body ?? []
                events += parser.receive(body[parsed...])
                parsed = body.count
                return events.count >= count
            }
        } else if events.count < count {
            events += try socket.receiveEvents(count - events.count)
        }
        let received = Array(events.prefix(count))
        events.removeFirst(received.count)
        lastEventID = received.last { !$0.id.isEmpty }?.id ?? lastEventID
        return received
    }

    func close() { socket.close() }
}
