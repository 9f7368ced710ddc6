import Glibc
import HTTPModel
import HTTPServer
import Log
import MachineHost
import MachineTesting
import TLS
import Testing

@testable import Granary

struct ServerPreparationTests {
    private let folder: CertificateFolder

    init() throws {
        folder = try CertificateFolder()
    }

    private func listeners(_ text: String) throws -> [HTTPListener] {
        try #require(ConfigurationFormat.listeners.read(.text(text)))
    }

    private func problems(_ change: (inout Configuration) throws -> Void) throws -> [String] {
        var configuration = Configuration()
        try change(&configuration)
        return ServerPreparation.problems(configuration) { [] }
    }

    @Test func `the defaults have no problem, even while a server runs with them`() async throws {
        var configuration = Configuration()
        configuration.server.loopCount = 1
        configuration.server.port = 0
        let server = HTTPServer(configuration: configuration.httpServer()) { _ in NotFoundResponder() }
        configuration.server.port = try server.start().port
        #expect(ServerPreparation.problems(configuration) { [] } == [])
        await server.shutdown()
    }

    @Test func `a machine that cannot be hosted is reported with the other problems`() throws {
        struct Failure: Error, CustomStringConvertible { let description = "no such service" }
        var configuration = Configuration()
        configuration.tls = folder.configuration("missing")
        let problems = ServerPreparation.problems(configuration) { throw Failure() }
        #expect(problems == ["no such service", "\(folder.path)/missing.pem could not be read: no such file."])
    }

    @Test func `a state directory that serve would refuse is a problem, and one that does not exist is not`() throws {
        func problems(_ directory: String) -> [String] {
            ServerPreparation.problems(Configuration(), machines: { [] }, stateDirectory: { _, _ in directory })
        }
        let directory = "\(folder.path)/state"
        #expect(problems(directory) == [])
        #expect(access(directory, F_OK) != 0)
        mkdir(directory, 0o700)
        #expect(problems(directory) == [])
        chmod(directory, 0o755)
        #expect(problems(directory).count == 1 && problems(directory)[0].contains("run chmod 700 \(directory)"))
        try folder.write([], to: "file")
        #expect(problems("\(folder.path)/file").first?.contains("expected a directory") == true)
        let none = ServerPreparation.problems(
            Configuration(), machines: { [] }, stateDirectory: { _, _ in throw StateDirectoryError() })
        #expect(none == [StateDirectoryError().description])
    }

    @Test func `the state directory depends on what the machines request`() {
        var requested: [[String]] = []
        let problems = ServerPreparation.problems(Configuration()) {
            [ScriptedMachine.definition("orders", outputs: [])]
        } stateDirectory: { _, machines in
            requested.append(machines.map(\.name))
            return nil
        }
        #expect(problems == [] && requested == [["orders"]])
    }

    @Test func `a page that cannot be served is a problem`() {
        let file = PageFile(path: "/main.js", content: [])
        func problems(_ page: Page) -> [String] {
            ServerPreparation.problems(Configuration(), page: page) { [] }
        }
        #expect(problems(Page(files: [file])) == ["page file /main.js: the path is already in use, choose another one"])
        #expect(problems(Page(files: [PageFile(path: "a.js", content: [])])).first?.contains("begins with") == true)
        #expect(problems(Page(scripts: ["/a.js"])) == ["page: /a.js is loaded, but is not one of the page's files"])
        #expect(problems(Page(scripts: ["/a.js"], files: [PageFile(path: "/a.js", content: [])])) == [])
    }

    @Test func `certificates and keys must exist, be readable and match`() throws {
        try folder.write(try .selfSigned())
        try folder.write(try .selfSigned(), "b")
        try folder.write(Array("no certificate".utf8), to: "c.pem")
        #expect(try problems { $0.tls = folder.configuration("a", "b") } == [])
        func single(_ change: (inout Configuration.TLS) -> Void) throws -> String {
            let found = try problems {
                $0.tls = folder.configuration("a")
                change(&$0.tls)
            }
            try #require(found.count == 1)
            return found[0]
        }
        #expect(try single { $0.privateKeys = [] }.hasSuffix("as in tls.certificates (1), got 0."))
        #expect(try single { $0.certificates = [] }.hasSuffix("as in tls.certificates (0), got 1."))
        #expect(try single { $0.privateKeys = [folder.path] } == "\(folder.path) could not be read: is a directory.")
        #expect(try single { $0.privateKeys = ["\(folder.path)/b.key"] }.contains("a.pem with"))
        #expect(try single { $0.certificates = ["\(folder.path)/c.pem"] }.contains("c.pem with"))
        #expect(try single { $0.clientIssuers = "/nowhere" } == "/nowhere could not be read: no such file.")
        #expect(try single { $0.clientIssuers = "\(folder.path)/c.pem" } != "")
        #expect(try single { $0.requiresClientCertificate = true }.contains("requires tls.clientIssuers"))
        #expect(try single { $0.selfSigned = true }.contains("either tls.selfSigned or tls.certificates"))
        #expect(try single { ($0.selfSigned, $0.certificates) = (true, []) }.contains("got both"))
        #expect(try problems { $0.tls.clientIssuers = "/nowhere" }.first?.contains("requires TLS") == true)
    }

    @Test func `client certificates also work with a self-signed server certificate`() throws {
        try folder.write(try .selfSigned())
        var configuration = Configuration.TLS()
        configuration.selfSigned = true
        configuration.clientIssuers = "\(folder.path)/a.pem"
        configuration.requiresClientCertificate = true
        let tls = try CertificateFiles(configuration).engine([try .selfSigned()])
        guard case .required = tls.clientCertificates else {
            Issue.record("expected .required, got \(tls.clientCertificates)")
            return
        }
        configuration.clientIssuers = "/nowhere"
        #expect(throws: OperatorError.self) { try ServedTLS(configuration, log: .silent) }
    }

    @Test(arguments: [
        ("https://127.0.0.1:8443", "no certificate is configured"),
        ("http://127.0.0.1:18080,http://127.0.0.1:18080", "is configured as well"),
        ("http://0.0.0.0:18081,admin+http://127.0.0.1:18081", "is configured as well"),
        ("http://[::1]:18082,http://[::]:18082", "is configured as well"),
        ("unix:/tmp/granary-a,unix:/tmp/granary-a?mode=0600", "is configured as well"),
        ("http://192.0.2.1:8080", "Cannot assign requested address"),
        ("unix:/nowhere/granary.sock", "No such file or directory"),
        ("unix:/dev/null", "Socket operation on non-socket"),
        ("unix:/dev/null/granary.sock", "Not a directory"),
    ])
    func `a listener that cannot listen is a problem`(listeners: String, reason: String) throws {
        let found = try problems { $0.server.listeners = try self.listeners(listeners) }
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(reason) == true, "\(found)")
    }

    @Test(arguments: [
        "http://127.0.0.1:0,http://127.0.0.1:0", "http://[::]:18081,http://0.0.0.0:18081",
        "http://[::]:18081,http://127.0.0.1:18081",
        "http://127.0.0.1:18081,http://127.0.0.2:18081", "unix:/tmp/granary-a,unix:/tmp/granary-b",
    ])
    func `listeners that do not conflict are no problem`(listeners: String) throws {
        #expect(try problems { $0.server.listeners = try self.listeners(listeners) } == [])
    }

    @Test func `conflicting listeners prevent a start, and the error names both`() throws {
        var configuration = Configuration()
        configuration.server.listeners = try listeners("http://127.0.0.1:1,admin+http://127.0.0.1:1")
        let server = HTTPServer(configuration: configuration.httpServer()) { _ in NotFoundResponder() }
        let error = #expect(throws: HTTPServerError.self) { try server.start() }
        #expect(error?.reason == .addressInUse)
        #expect(error?.description.contains("admin+http://127.0.0.1:1: http://127.0.0.1:1") == true)
    }
}

private final class NotFoundResponder: HTTPResponder {
    func respond(to request: HTTPRequest) -> HTTPAnswer { .response(HTTPResponse(status: .notFound)) }
}
