import HTTPModel
import HTTPServer
import HTTPServerTesting
import TLS
import Testing

/// The transports of an HTTP/2 client.
enum Transport: CaseIterable, CustomTestStringConvertible {
    case cleartext
    case tls

    var testDescription: String { self == .tls ? "over TLS" : "in cleartext" }

    /// Creates a server that supports both transports.
    static func server(
        configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil },
        drain: @escaping @Sendable (any EventLoop) -> Void = { _ in },
        respond: @escaping HTTPTestServer.Respond
    ) throws -> HTTPTestServer {
        let source = try TLSContextSource(TLSConfiguration(identities: [try .selfSigned()]))
        return try HTTPTestServer(
            configure: { configuration in
                configuration.tls = HTTPServerTLS(source: source, port: 0)
                configure(&configuration)
            }, placement: placement, drain: drain, respond: respond)
    }

    /// Returns a connected HTTP/2 client.
    func connect(_ server: HTTPTestServer) throws -> HTTP2TestConnection {
        switch self {
        case .cleartext: try HTTP2TestConnection(over: server.connect())
        case .tls:
            try HTTP2TestConnection(over: server.connectSecurely(TLSTestOptions(protocols: ["h2", "http/1.1"])))
        }
    }
}
