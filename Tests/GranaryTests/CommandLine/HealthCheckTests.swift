import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Granary

struct HealthCheckTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "127.0.0.1", "8080", "/health/ready"),
        ("http://localhost/health/live", "localhost", "80", "/health/live"),
        ("http://[::1]:9000/x?y=1", "::1", "9000", "/x?y=1"),
        ("http://[::1]", "::1", "80", "/health/ready"),
    ])
    func `a URL determines the host, port and path`(url: String, host: String, port: String, path: String) throws {
        let check = try #require(HealthCheck(url: url))
        #expect(check.host == host)
        #expect(check.port == port)
        #expect(check.path == path)
    }

    @Test(arguments: ["https://localhost", "localhost:80", "http://", "http://a:b", "http://a:70000", "http://[::1"])
    func `any other URL is rejected`(url: String) {
        #expect(HealthCheck(url: url) == nil)
    }

    @Test func `a server that listens on all addresses is checked on the loopback address`() throws {
        var configuration = Configuration()
        configuration.server.host = "0.0.0.0"
        configuration.server.port = 9000
        let check = try #require(HealthCheck(of: configuration))
        #expect(check.host == "127.0.0.1")
        #expect(check.port == "9000")
    }

    @Test(arguments: [
        (["https://[::]:8443", "http://0.0.0.0:8080"], "127.0.0.1", "8080"),
        (["http://0.0.0.0:8080", "admin+http://[::]:9090"], "::1", "9090"),
        (["admin+https://127.0.0.1:9443", "unix:/run/granary.sock"], "/run/granary.sock", ""),
    ])
    func `of several listeners, a cleartext one is checked, preferably one for operators`(
        listeners: [String], host: String, port: String
    ) throws {
        var configuration = Configuration()
        configuration.server.listeners = try listeners.map { try HTTPListener($0) }
        let check = try #require(HealthCheck(of: configuration))
        #expect(check.host == host)
        #expect(check.port == port)
        #expect(check.path == "/health/ready")
    }

    @Test func `a server with only TLS listeners cannot be checked in cleartext`() throws {
        var configuration = Configuration()
        configuration.server.listeners = [try HTTPListener("https://127.0.0.1:8443")]
        #expect(HealthCheck(of: configuration) == nil)
    }

    @Test func `a Unix socket is checked like an address`() async throws {
        let path = "/tmp/granary-health-\(UInt32.random(in: 0 ... .max)).sock"
        let server = try HTTPTestServer(
            configure: { $0.listeners = [HTTPListener(.unix(path: path))] },
            respond: { request, _ in
                .response(HTTPResponse(status: request.target == "/health/ready" ? .ok : .notFound))
            })
        let check = try #require(HealthCheck(url: "unix:\(path)"))
        #expect(check.status(within: .seconds(300)) == 200)
        await server.shutdown()
        #expect(check.status() == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", 200), ("HTTP/1.1 503 Service", 503), ("SSH-2.0-OpenSSH", nil), ("HTTP/1.", nil),
        ("", nil),
    ])
    func `the status is parsed from the first line`(head: String, status: Int?) {
        #expect(HealthCheck.status(ofHead: Array(head.utf8)) == status)
    }

    @Test func `a port without a listener has no status`() throws {
        let port = try HTTPTestHeldPort()
        let check = try #require(HealthCheck(url: "http://127.0.0.1:\(port.number)"))
        #expect(check.status() == nil)
        withExtendedLifetime(port) {}
    }
}
