import HTTPModel
import HTTPServer
import HTTPServerTesting
import Log
import Testing

@testable import Granary

struct ServerRunTests {
    private final class Answering: HTTPResponder {
        let status: HTTPStatus

        init(_ status: HTTPStatus) {
            self.status = status
        }

        func respond(to request: HTTPRequest) -> HTTPAnswer {
            .response(HTTPResponse(status: status))
        }
    }

    private func run(port: UInt16 = 0, status: HTTPStatus = .ok) -> ServerRun {
        var configuration = Configuration()
        configuration.server.port = port
        configuration.server.loopCount = 1
        configuration.extendTimeouts()
        let machines = [("counter", "Counts.", ["count"]), ("up", "Goes up.", [])]
        return ServerRun(configuration: configuration, log: .silent, machines: machines) { _, _ in Answering(status) }
    }

    /// Returns a configured server's response status for each of the given hosts.
    private func statuses(_ hosts: [String], _ configure: (inout Configuration) -> Void) async throws -> [Int] {
        var run = run()
        configure(&run.configuration)
        var announced = ""
        var statuses: [Int] = []
        try await run.run {
            announced = $0
        } until: {
            do {
                let port = try #require(announced.firstMatch(of: /http:\/\/[0-9.]+:([0-9]+)/)?.output.1)
                let client = try HTTPTestClient(port: try #require(UInt16(port)))
                for host in hosts {
                    try client.send("GET /health/live HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                    statuses.append(try client.receiveResponse().status)
                }
            } catch {
                Issue.record(error)
            }
        }
        return statuses
    }

    @Test func `on a loopback address, a server accepts requests for local and listed hosts`() async throws {
        let hosts = ["localhost:1", "127.0.0.1", "[::1]:80", "app.example:8443", "evil.example", "10.0.0.1"]
        #expect(try await statuses(hosts) { _ in } == [200, 200, 200, 421, 421, 421])
        #expect(
            try await statuses(hosts) { $0.server.allowedHosts = ["App.Example"] } == [200, 200, 200, 200, 421, 421])
        #expect(try await statuses(hosts) { $0.server.allowedHosts = ["*"] } == [200, 200, 200, 200, 200, 200])
    }

    @Test func `on all addresses, a server accepts requests for any host unless some are listed`() async throws {
        let hosts = ["localhost:1", "app.example:8443", "evil.example", "10.0.0.1"]
        #expect(try await statuses(hosts) { $0.server.host = "0.0.0.0" } == [200, 200, 200, 200])
        let listed = try await statuses(hosts) {
            $0.server.host = "0.0.0.0"
            $0.server.allowedHosts = ["App.Example"]
        }
        #expect(listed == [200, 200, 421, 200])
    }

    private func url(in text: String) -> String? {
        text.firstMatch(of: /http:\/\/\S+/).map { String($0.output) }
    }

    @Test func `the announced URL is reachable, and requests for the site do not reach the machines`() async throws {
        var announced: [String] = []
        var statuses: [Int?] = []
        try await run(status: .serviceUnavailable).run {
            announced.append($0)
        } until: {
            guard let url = url(in: announced.last ?? "") else { return }
            statuses = ["/health/ready", "/style.css", "/"].map {
                HealthCheck(url: url + $0)?.status(within: .seconds(300))
            }
        }
        #expect(announced.count == 1)
        #expect(statuses == [503, 200, 200])
    }

    @Test func `a server that has stopped no longer listens`() async throws {
        let port = try HTTPTestHeldPort()
        var announced = ""
        try await run(port: port.number).run(announce: { announced = $0 }, until: {})
        let address = try #require(url(in: announced))
        let check = try #require(HealthCheck(url: address))
        #expect(check.port == "\(port.number)")
        #expect(check.status() == nil)
        withExtendedLifetime(port) {}
    }

    @Test func `the error for a port in use names it`() async throws {
        var announced = ""
        var failure: HTTPServerError?
        try await run().run {
            announced = $0
        } until: {
            guard let url = url(in: announced), let port = HealthCheck(url: url).flatMap({ UInt16($0.port) }) else {
                return
            }
            do throws(HTTPServerError) {
                try await run(port: port).run(announce: { _ in }, until: {})
            } catch {
                failure = error
            }
        }
        #expect(failure?.reason == .addressInUse)
    }

    @Test func `the startup text has the address, the machines and an example command`() {
        let text = StartupText.text(
            listeners: [HTTPListener(.address(host: "127.0.0.1", port: 8080))],
            machines: [("counter", "Counts.", ["count", "token"]), ("up", "Goes up.", [])])
        #expect(
            text.hasSuffix(
                """
                 serves on http://127.0.0.1:8080

                  counter  Counts.
                           outputs: count, token
                  up       Goes up.
                           no outputs

                Open the address in a browser, or run:

                  curl -i http://127.0.0.1:8080/v1/sessions -H 'Content-Type: application/json' -d '{"machine":"counter"}'
                """))
    }

    @Test func `without a machine there is no example command`() {
        let text = StartupText.text(listeners: [HTTPListener(.address(host: "127.0.0.1", port: 8080))], machines: [])
        #expect(!text.contains("curl"))
    }

    @Test func `a server with a self-signed certificate announces its address and fingerprint, and is reachable`()
        async throws
    {
        var configuration = Configuration()
        (configuration.server.port, configuration.tls.port, configuration.server.loopCount) = (0, 0, 1)
        configuration.extendTimeouts()
        configuration.tls.selfSigned = true
        let tls = try #require(try ServedTLS(configuration.tls, log: .silent))
        let run = ServerRun(configuration: configuration, log: .silent, tls: tls, machines: []) { _, _ in Answering(.ok)
        }
        var announced = ""
        var status: Int?
        var fingerprint: [UInt8] = []
        try await run.run {
            announced = $0
        } until: {
            guard let match = announced.firstMatch(of: /https:\/\/127.0.0.1:(\d+)/), let port = UInt16(match.1),
                let client = try? HTTPTestClient(port: port), (try? client.beginTLS()) != nil,
                (try? client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")) != nil
            else { return }
            status = (try? client.receiveResponse())?.status
            fingerprint = client.serverFingerprint
        }
        #expect(status == 200)
        let shown = announced.firstMatch(of: /SHA-256 fingerprint (\S+)/).map { String($0.1) }
        #expect(shown == tls.fingerprint)
        #expect(fingerprint == shown?.split(separator: ":").compactMap { UInt8($0, radix: 16) })
    }
}
