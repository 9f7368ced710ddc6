import FoundationEssentials
import HTTPModel
import HTTPServer
import Log
import TLS

/// A server of the fixed routes.
struct TargetServer {
    private let server: HTTPServer<TargetResponder>

    /// Reads the certificates; throws where one of them cannot be used.
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

    /// Listens; answers with the addresses as URLs.
    func start() throws -> [String] {
        let address = try server.start()
        return ["http://\(address)"] + (server.secureAddress.map { ["https://\($0)"] } ?? [])
    }

    /// Ends once what is under way is answered.
    func shutdown() async { await server.shutdown() }

    private static func read(_ files: (chain: String, key: String)) throws -> TLSIdentity {
        let chain = Array(try Data(contentsOf: URL(filePath: files.chain)))
        return try TLSIdentity(certificates: chain, privateKey: Array(try Data(contentsOf: URL(filePath: files.key))))
    }
}
