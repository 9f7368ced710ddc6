import HTTPModel
import HTTPServerTesting
import Log
import Testing

@testable import HTTPTarget

/// The protocols for requests to a target.
enum TargetWire: CaseIterable, CustomTestStringConvertible {
    case http1, http1OverTLS, http2, http2OverTLS

    var testDescription: String {
        switch self {
        case .http1: "HTTP/1.1"
        case .http1OverTLS: "HTTP/1.1 over TLS"
        case .http2: "HTTP/2"
        case .http2OverTLS: "HTTP/2 over TLS"
        }
    }

    var isSecure: Bool { self == .http1OverTLS || self == .http2OverTLS }
    var isHTTP2: Bool { self == .http2 || self == .http2OverTLS }
}

/// The response to a request.
struct TargetAnswer {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var events: [ServerSentEvent] {
        var parser = EventStreamParser()
        return parser.receive(body)
    }
}

/// A target on free ports, and its clients.
final class RunningTarget {
    let server: TargetServer
    private let ports: [UInt16]

    init(_ arguments: String...) throws {
        var options = try TargetOptions(
            arguments: ["--port", "0", "--tls-port", "0", "--self-signed", "--loops", "1"] + arguments)
        options.server.extendTimeouts()
        options.handshakeTimeout = .seconds(3600)
        server = try TargetServer(options, log: .silent)
        ports = try server.start().compactMap { UInt16($0.split(separator: ":").last ?? "") }
    }

    /// Returns a socket for HTTP/1.1, or one that can start HTTP/2.
    func connect(_ wire: TargetWire) throws -> HTTPTestClient {
        let client = try HTTPTestClient(port: ports[wire.isSecure ? 1 : 0])
        if wire.isSecure {
            try client.beginTLS(TLSTestOptions(protocols: wire.isHTTP2 ? ["h2"] : ["http/1.1"]))
        }
        return client
    }

    /// Sends a request on a separate connection.
    func ask(
        _ path: String, method: String = "GET", over wire: TargetWire = .http1, fields: [(String, String)] = [],
        body: [UInt8]? = nil
    ) throws -> TargetAnswer {
        let client = try connect(wire)
        if wire.isHTTP2 {
            let answer = try HTTP2TestConnection(over: client).exchange(method, path, fields: fields, body: body)
            return TargetAnswer(status: answer.status ?? 0, fields: answer.fields, body: answer.body)
        }
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields.map { "\($0.0): \($0.1)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        try client.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
        let answer = try client.receiveResponse(toHead: method == "HEAD")
        return TargetAnswer(status: Int(answer.status), fields: answer.fields, body: answer.body)
    }
}
