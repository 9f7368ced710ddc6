import FoundationEssentials
import HTTPModel
import HTTPServer
import Log
import TLS

/// A server for the fixed routes.
struct TargetServer {
    private let server: HTTPServer<TargetResponder>

    /// Creates a server and reads the certificates.
    ///
    /// - Throws: An error that describes the first certificate that cannot be used.
    init(_ options: TargetOptions, log: Log) throws {
        var configuration = options.server
        if options.isSecure {
            let identities =
                options.isSelfSigned ? [try .selfSigned()] : try options.certificates.map(TargetServer.read)
            var tls = HTTPServerTLS(
                source: try TLSContextSource(TLSConfiguration(identities: identities)), port: options.securePort)
            tls.handshakeTimeout = options.handshakeTimeout
            configuration.tls = tls
        }
        server = HTTPServer(configuration: configuration, log: log) { TargetResponder(loop: $0) }
    }

    /// Starts to listen and returns the addresses as URLs.
    func start() throws -> [String] {
        let address = try server.start()
        return ["http://\(address)"] + (server.secureAddress.map { ["https://\($0)"] } ?? [])
    }

    /// Shuts down after the requests in flight are complete.
    func shutdown() async { await server.shutdown() }

    private static func read(_ files: (chain: String, key: String)) throws -> TLSIdentity {
        let chain = Array(try Data(contentsOf: URL(filePath: files.chain)))
        return try TLSIdentity(certificates: chain, privateKey: Array(try Data(contentsOf: URL(filePath: files.key))))
    }
}
