import HTTP2Testing
public import HTTPModel
public import HTTPServer
import TLS

/// Every way in which a client can ask, so that one scenario is run over all of them.
public enum HTTPTestWire: CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// HTTP/1.1 in cleartext.
    case http1
    /// HTTP/1.1 over TLS, by ALPN.
    case http1OverTLS
    /// HTTP/2 in cleartext, by prior knowledge.
    case http2
    /// HTTP/2 over TLS, by ALPN.
    case http2OverTLS

    /// As a person would say it.
    public var description: String {
        switch self {
        case .http1: "HTTP/1.1"
        case .http1OverTLS: "HTTP/1.1 over TLS"
        case .http2: "HTTP/2"
        case .http2OverTLS: "HTTP/2 over TLS"
        }
    }

    /// Whether there is TLS below.
    public var isSecure: Bool { self == .http1OverTLS || self == .http2OverTLS }

    /// Whether it is HTTP/2.
    public var isMultiplexed: Bool { self == .http2 || self == .http2OverTLS }

    /// What requests say: `http` or `https`.
    public var scheme: String { isSecure ? "https" : "http" }

    /// Has a server speak TLS with a certificate that it signs itself, so that all of these can be used with it.
    public static func configure(_ configuration: inout HTTPServerConfiguration) throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        configuration.tls = HTTPServerTLS(source: source, port: 0)
    }

    /// A client that has said nothing yet: what it says first, TLS or not, is the test's.
    public func open(_ host: some HTTPTestHost, receiveBuffer: Int = 0) throws -> HTTPTestClient {
        isSecure
            ? try host.connectToSecurePort(receiveBuffer: receiveBuffer)
            : try host.connect(receiveBuffer: receiveBuffer)
    }

    /// A client of a server that was configured with ``configure(_:)``. The fault, if there is one, is met by all that the
    /// client sends, from its first byte on.
    public func connect(
        to host: some HTTPTestHost, fault: HTTPTestFault? = nil, receiveBuffer: Int = 0
    ) throws -> any HTTPTestWireClient {
        let socket = try open(host, receiveBuffer: receiveBuffer)
        socket.fault = fault
        if isSecure { try socket.beginTLS(TLSTestOptions(protocols: [isMultiplexed ? "h2" : "http/1.1"])) }
        guard isMultiplexed else { return HTTP1WireClient(socket: socket) }
        return HTTP2WireClient(connection: try HTTP2TestConnection(over: socket), scheme: scheme)
    }
}

/// What came of a request, whichever way it went.
public struct HTTPTestWireAnswer: Sendable {
    /// The three digits.
    public var status: Int
    /// The header fields, those of HTTP/2 that begin with a colon left out.
    public var fields: HTTPFields
    /// The content, whatever it was framed with undone.
    public var body: [UInt8]

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client that asks one thing after the other.
public protocol HTTPTestWireClient: AnyObject {
    /// What carries its bytes.
    var socket: HTTPTestClient { get }

    /// Asks, and waits for the whole answer.
    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> HTTPTestWireAnswer

    /// Asks for a stream and returns once its head is there.
    func follow(_ path: String) throws
    /// The next events of that stream, once there are so many.
    func events(_ count: Int) throws -> [ServerSentEvent]
}

extension HTTPTestWireClient {
    /// Asks `localhost` for a path.
    public func get(_ path: String) throws -> HTTPTestWireAnswer {
        try exchange("GET", path, host: "localhost", fields: [], body: nil)
    }

    /// Sends `localhost` some content.
    public func post(_ path: String, _ body: [UInt8]) throws -> HTTPTestWireAnswer {
        try exchange("POST", path, host: "localhost", fields: [], body: body)
    }
}

private final class HTTP1WireClient: HTTPTestWireClient {
    let socket: HTTPTestClient

    init(socket: HTTPTestClient) { self.socket = socket }

    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> HTTPTestWireAnswer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        try socket.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
        let response = try socket.receiveResponse(toHead: method == "HEAD")
        return HTTPTestWireAnswer(status: response.status, fields: response.fields, body: response.body)
    }

    func follow(_ path: String) throws {
        try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try socket.receiveHead()
    }

    func events(_ count: Int) throws -> [ServerSentEvent] { try socket.receiveEvents(count) }
}

private final class HTTP2WireClient: HTTPTestWireClient {
    private let connection: HTTP2TestConnection
    private let scheme: String
    private var stream: Int32 = 0
    private var taken = 0
    private var parser = EventStreamParser()

    init(connection: HTTP2TestConnection, scheme: String) {
        self.connection = connection
        self.scheme = scheme
    }

    var socket: HTTPTestClient { connection.socket }

    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> HTTPTestWireAnswer {
        let answer = try connection.exchange(method, path, authority: host, fields: fields, body: body)
        return HTTPTestWireAnswer(status: answer.status ?? 0, fields: answer.fields, body: answer.body)
    }

    func follow(_ path: String) throws {
        stream = connection.session.request("GET", path, scheme: scheme)
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
