import Foundation
import HTTPModel
import HTTPServer
import TLS

/// A server of one page with the public API and the defaults: it shows the cost of a request without an application.
struct PageServer {
    private var configuration: HTTPServerConfiguration

    /// Creates a server from the ports for cleartext and TLS, the number of loops, and the files of a certificate and
    /// its key; `nil` if the arguments are invalid.
    init?(arguments: [String]) {
        guard arguments.count == 5, let port = UInt16(arguments[0]), let securePort = UInt16(arguments[1]),
            let loops = Int(arguments[2]), let identity = PageServer.identity(arguments[3], arguments[4]),
            let source = try? TLSContextSource(TLSConfiguration(identities: [identity]))
        else { return nil }
        configuration = HTTPServerConfiguration(port: port)
        configuration.loopCount = loops
        configuration.tls = HTTPServerTLS(source: source, port: securePort)
    }

    /// Starts to listen. The server then runs until the process ends.
    func start() throws {
        try HTTPServer(configuration: configuration) { _ in PageResponder() }.start()
    }

    private static func identity(_ certificate: String, _ key: String) -> TLSIdentity? {
        guard let chain = FileManager.default.contents(atPath: certificate),
            let secret = FileManager.default.contents(atPath: key)
        else { return nil }
        return try? TLSIdentity(certificates: Array(chain), privateKey: Array(secret))
    }
}

/// Answers every request with the same 2,048 bytes.
final class PageResponder: HTTPResponder {
    private let page = HTTPResponse(
        status: .ok, fields: [.contentType: "text/plain"],
        body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: 2048)))

    func respond(to request: HTTPRequest) -> HTTPAnswer { .response(page) }
}
