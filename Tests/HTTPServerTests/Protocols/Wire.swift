import HTTP2Testing
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

/// Every way in which a client can ask.
enum Wire: CaseIterable, CustomTestStringConvertible {
    case http1
    case http1OverTLS
    case http2
    case http2OverTLS

    var testDescription: String {
        switch self {
        case .http1: "HTTP/1.1"
        case .http1OverTLS: "HTTP/1.1 over TLS"
        case .http2: "HTTP/2"
        case .http2OverTLS: "HTTP/2 over TLS"
        }
    }

    var scheme: String { self == .http1 || self == .http2 ? "http" : "https" }

    func connect(_ server: HTTPTestServer) throws -> any WireClient {
        switch self {
        case .http1: HTTP1Wire(client: try server.connect())
        case .http1OverTLS:
            HTTP1Wire(client: try server.connectSecurely(TLSTestOptions(protocols: ["http/1.1"])))
        case .http2: HTTP2Wire(connection: try Transport.cleartext.connect(server))
        case .http2OverTLS: HTTP2Wire(connection: try Transport.tls.connect(server))
        }
    }
}

/// What came of a request, whichever way it went.
struct WireAnswer {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client that asks one thing after the other.
protocol WireClient: AnyObject {
    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> WireAnswer

    /// Asks for a stream and returns once its head is there.
    func follow(_ path: String) throws
    /// The events of that stream, once there are so many.
    func events(_ count: Int) throws -> [ServerSentEvent]
}

extension WireClient {
    func get(_ path: String) throws -> WireAnswer {
        try exchange("GET", path, host: "localhost", fields: [], body: nil)
    }
}

private final class HTTP1Wire: WireClient {
    private let client: HTTPTestClient

    init(client: HTTPTestClient) { self.client = client }

    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> WireAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
        let response = try client.receiveResponse(toHead: method == "HEAD")
        return WireAnswer(status: Int(response.status), fields: response.fields, body: response.body)
    }

    func follow(_ path: String) throws {
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try client.receiveHead()
    }

    func events(_ count: Int) throws -> [ServerSentEvent] { try client.receiveEvents(count) }
}

private final class HTTP2Wire: WireClient {
    private let connection: HTTP2TestConnection
    private var stream: Int32 = 0
    private var taken = 0
    private var parser = EventStreamParser()

    init(connection: HTTP2TestConnection) { self.connection = connection }

    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> WireAnswer {
        let answer = try connection.exchange(method, path, authority: host, fields: fields, body: body)
        return WireAnswer(status: answer.status ?? 0, fields: answer.fields, body: answer.body)
    }

    func follow(_ path: String) throws {
        stream = connection.session.request("GET", path)
        try connection.wait("the head of \(path)") { $0.answers[stream]?.status != nil }
    }

    func events(_ count: Int) throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        try connection.wait("\(count) events") { session in
            let body = session.answers[stream]?.body ?? []
            events += parser.receive(body[taken...])
            taken = body.count
            return events.count >= count
        }
        return events
    }
}
