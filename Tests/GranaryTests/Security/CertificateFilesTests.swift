import HTTPModel
import HTTPServer
import Log
import TLS
import Testing

@testable import Granary

@Suite struct CertificateFilesTests {
    private let folder: CertificateFolder

    init() throws {
        folder = try CertificateFolder()
    }

    private func error(_ configuration: Configuration.TLS) -> String? {
        do throws(OperatorError) {
            _ = try CertificateFiles(configuration).read()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `several certificates can be loaded from several files`() throws {
        let identities = [try TLSIdentity.selfSigned(hosts: ["a.test"]), try TLSIdentity.selfSigned(hosts: ["b.test"])]
        try folder.write(identities[0], "a")
        try folder.write(identities[1], "b")
        let read = try CertificateFiles(folder.configuration("a", "b")).read()
        #expect(read.identities.map(\.hostNames) == [["a.test"], ["b.test"]])
        #expect(read.minimumVersion == .v12)
    }

    @Test func `clients must present certificates if their issuers are configured`() throws {
        let identity = try TLSIdentity.selfSigned()
        try folder.write(identity)
        var configuration = folder.configuration("a")
        configuration.minimumVersion = .v13
        configuration.clientIssuers = "\(folder.path)/a.pem"
        let optional = try CertificateFiles(configuration).read()
        guard case .optional(identity.certificates) = optional.clientCertificates else {
            Issue.record("expected .optional with the issuers, got \(optional.clientCertificates)")
            return
        }
        #expect(optional.minimumVersion == .v13)
        configuration.requiresClientCertificate = true
        guard case .required = try CertificateFiles(configuration).read().clientCertificates else {
            Issue.record("expected .required")
            return
        }
    }

    @Test func `an error names the invalid file`() throws {
        var configuration = folder.configuration("missing")
        #expect(error(configuration) == "\(folder.path)/missing.pem could not be read: no such file.")
        try folder.write(try .selfSigned())
        configuration = folder.configuration("a")
        #expect(error(configuration) == nil)
        configuration.privateKeys = []
        #expect(
            error(configuration)
                == "expected as many files in tls.privateKeys as in tls.certificates (1), got 0.")
        try folder.write(try .selfSigned(), "b")
        configuration.privateKeys = ["\(folder.path)/b.key"]
        #expect(
            error(configuration)?.hasPrefix("\(folder.path)/a.pem with \(folder.path)/b.key: Expected the private key")
                == true)
    }

    @Test func `TLS is off by default`() throws {
        #expect(try ServedTLS(Configuration.TLS(), log: .silent) == nil)
    }

    @Test func `the configured port settings reach the server`() throws {
        var configuration = Configuration.TLS()
        configuration.selfSigned = true
        var server = try #require(try ServedTLS(configuration, log: .silent)).server
        #expect(server.port == 8443)
        #expect(server.strictTransportSecurity == nil)
        #expect(server.publicPort == nil)
        configuration.strictTransportSecurity = .seconds(86_400)
        configuration.publicPort = 443
        configuration.redirectsCleartext = true
        server = try #require(try ServedTLS(configuration, log: .silent)).server
        #expect(server.strictTransportSecurity == "max-age=86400")
        #expect(server.publicPort == 443)
        #expect(server.redirectsCleartext)
    }
}
