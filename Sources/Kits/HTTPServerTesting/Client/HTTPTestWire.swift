public import HTTPModel
public import HTTPServer
import TLS

/// The combinations of HTTP version and TLS, so that one scenario can run over all of them.
public enum HTTPTestWire: CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// HTTP/1.1 in cleartext.
    case http1
    /// HTTP/1.1 over TLS, negotiated with ALPN.
    case http1OverTLS
    /// HTTP/2 in cleartext, with prior knowledge.
    case http2
    /// HTTP/2 over TLS, negotiated with ALPN.
    case http2OverTLS

    /// The name of the combination.
    public var description: String {
        switch self {
        case .http1: "HTTP/1.1"
        case .http1OverTLS: "HTTP/1.1 over TLS"
        case .http2: "HTTP/2"
        case .http2OverTLS: "HTTP/2 over TLS"
        }
    }

    /// Whether it uses TLS.
    public var isSecure: Bool { self == .http1OverTLS || self == .http2OverTLS }

    /// Whether it uses HTTP/2.
    public var isMultiplexed: Bool { self == .http2 || self == .http2OverTLS }

    /// The scheme of requests: `http` or `https`.
    public var scheme: String { isSecure ? "https" : "http" }

    /// Configures TLS with a self-signed certificate, so that a server supports all combinations.
    public static func configure(_ configuration: inout HTTPServerConfiguration) throws {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        configuration.tls = HTTPServerTLS(source: source, port: 0)
    }

    /// Returns a connected client that has sent nothing, not even a TLS handshake.
    public func open(_ host: some HTTPTestHost, receiveBuffer: Int = 0) throws -> HTTPTestClient {
        isSecure
            ? try host.connectToSecurePort(receiveBuffer: receiveBuffer)
            : try host.connect(receiveBuffer: receiveBuffer)
    }

    /// Returns a client of a server that was configured with ``configure(_:)``. The fault applies from the first byte
    /// that the client sends.
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

/// A response, independent of the version of HTTP.
public struct HTTPTestWireAnswer: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields, without HTTP/2's pseudo-header fields.
    public var fields: HTTPFields
    /// The content, without framing.
    public var body: [UInt8]

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A client that sends one request at a time.
public protocol HTTPTestWireClient: AnyObject {
    /// The connection of the client.
    var socket: HTTPTestClient { get }

    /// Sends a request and waits for the complete response.
    func exchange(
        _ method: String, _ path: String, host: String, fields: [(String, String)], body: [UInt8]?
    ) throws -> HTTPTestWireAnswer

    /// Sends a GET request and does not wait for the response.
    func begin(_ path: String) throws

    /// Requests a stream and waits for the head of the response.
    func follow(_ path: String) throws
    /// Waits for a number of events of that stream and returns them.
    func events(_ count: Int) throws -> [ServerSentEvent]
}

extension HTTPTestWireClient {
    /// Sends a GET request.
    public func get(_ path: String) throws -> HTTPTestWireAnswer {
        try exchange("GET", path, host: "localhost", fields: [], body: nil)
    }

    /// Sends a POST request.
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

    func begin(_ path: String) throws { try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n") }

    func follow(_ path: String) throws {
        try begin(path)
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

    func begin(_ path: String) throws {
        stream = connection.session.request("GET", path, scheme: scheme)
        try connection.send()
    }

    func follow(_ path: String) throws {
        try begin(path)
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
