import Access
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineHost
import MachineTesting
import Testing

@testable import Granary

/// A server with access control, over a socket.
@Suite struct AuthenticatedServerTests {
    private let folder: KeyFolder
    private let logged = Lock("")

    init() throws { folder = try KeyFolder() }

    private var log: Log {
        Log(level: .debug) { [logged] event in
            let fields = event.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            logged.withLock { $0 += "\(event.message) \(fields)\n" }
        }
    }

    private func server(
        _ authenticator: HostAuthenticator? = nil, _ change: (inout Configuration) throws -> Void
    ) throws -> Server {
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount) = (0, 2)
        configuration.extendTimeouts()
        configuration.tls.reloadInterval = .milliseconds(100)
        try change(&configuration)
        return Server(
            configuration: configuration, authenticator: authenticator, log: log,
            machines: [ScriptedMachine.definition(outputs: ["text"])])
    }

    private func send(
        _ server: Server, _ line: String, _ fields: [String] = [], body: String = ""
    ) throws -> HTTPTestResponse {
        let client = try HTTPTestClient(port: try #require(server.port))
        defer { client.close() }
        let all = ["Host: localhost", "Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + fields
        try client.send("\(line) HTTP/1.1\r\n\(all.joined(separator: "\r\n"))\r\n\r\n\(body)")
        return try client.receiveResponse()
    }

    private func create(_ server: Server, _ fields: [String]) throws -> HTTPTestResponse {
        try send(server, "POST /v1/sessions", fields + ["Sec-Fetch-Site: none"], body: #"{"machine":"scripted"}"#)
    }

    @Test(arguments: [false, true])
    func `the program's own authentication decides, now or later`(decidesLater: Bool) async throws {
        let decide: @Sendable (HTTPRequest) -> HostCredential = { request in
            guard let user = request.fields.value("x-user") else { return .none }
            return user == "bad" ? .rejected("Unknown user.") : .principal(id: user)
        }
        let authenticator =
            decidesLater
            // The threads that run the closure are busy with other tests.
            ? HostAuthenticator(name: "app", timeout: .seconds(300), authenticateLater: { decide($0) })
            : HostAuthenticator(name: "app", authenticate: decide)
        let server = try server(authenticator) { $0.access.requiresPrincipal = true }
        try server.start()
        let created = try create(server, ["X-User: ada"])
        #expect(created.status == 201, "\(created.text)")
        let path = try #require(created.fields.value(.location))
        #expect(try send(server, "GET \(path)", ["X-User: ada"]).status == 200)
        #expect(try send(server, "GET \(path)", ["X-User: bob"]).status == 404)
        #expect(try send(server, "GET \(path)").status == 401)
        let rejected = try send(server, "GET \(path)", ["X-User: bad"])
        #expect(rejected.status == 401 && rejected.text.contains("Unknown user."))
        #expect(try send(server, "GET /health/ready").status == 200)
        await server.stop()
    }

    @Test func `a new key is accepted, and a revoked one rejected, without a restart`() async throws {
        let path = try folder.write("", to: "api.keys")
        func run(_ command: KeysCommand) -> String {
            var printed = ""
            #expect(
                KeysRun(path: path, print: { printed = $0 }, printError: { Issue.record("\($0)") }).run(command) == 0)
            return printed
        }
        let server = try server { $0.access.apiKeys = path }
        try server.start()
        let key = run(.new("reports"))
        #expect(try await eventually { try create(server, ["Authorization: Bearer \(key)"]).status == 201 })
        _ = run(.revoke("reports"))
        #expect(try await eventually { try create(server, ["Authorization: Bearer \(key)"]).status == 401 })
        await server.stop()
        #expect(logged.withLock { $0 }.contains("audit: keys reloaded"))
        #expect(!logged.withLock { $0 }.contains(key))
    }

    @Test func `neither a ticket nor a token appears in the log`() async throws {
        let server = try server { $0.access.apiKeys = try folder.write("", to: "api.keys") }
        try server.start()
        let secret = "AAAAsecretAAAA"
        for line in [
            "GET /v1/sessions/jt0iGwEJTmmrvDnmhNTjwg/outputs?ticket=\(secret)", "GET /nowhere?ticket=\(secret)",
            "GET /v1/outputs?ticket=\(secret)", "DELETE /?ticket=\(secret)", "GET /%zz?ticket=\(secret)",
        ] {
            _ = try send(server, line, ["Accept: text/event-stream"])
        }
        for scheme in ["Bearer", "Bearer granary_", "Ticket", "ApiKey", "Basic"] {
            #expect(try create(server, ["Authorization: \(scheme) \(secret)"]).status == 401, "\(scheme)")
        }
        await server.stop()
        let text = logged.withLock { $0 }
        #expect(text.contains("audit: credentials rejected") && !text.contains(secret), "\(text)")
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a client behind a proxy on the same machine cannot evade its limit`(
        version: ServedRoutes.Version
    ) async throws {
        for (field, value) in [
            ("x-forwarded-for", "192.0.2.7"), ("x-forwarded-for", "unknown"), ("accept", "*/*"),
            ("x-forwarded-for", "127.0.0.1"),
        ] {
            let server = try server {
                $0.access.trustedProxies = AddressRange("127.0.0.1").map { [$0] } ?? []
                $0.access.rates.sessions = .init(count: 5, window: .seconds(86_400))
            }
            try server.start()
            let client = try MatrixClient(version, to: try #require(server.listeners.first))
            let statuses = try (0..<40).map { number in
                // What the client adds, and what its proxy adds after it.
                let fields = [("forwarded", "for=198.51.100.\(number)"), (field, value)]
                return try client.send("POST", "/v1/sessions", fields, body: #"{"machine":"scripted"}"#).status
            }
            #expect((1...5).contains(statuses.count { $0 == 201 }), "\(field) \(value): \(statuses)")
            #expect(statuses.allSatisfy { $0 == 201 || $0 == 429 }, "\(field) \(value): \(statuses)")
            client.close()
            await server.stop()
        }
    }

    @Test func `the client of a trusted proxy is named in the log, and its scheme decides about the cookie`()
        async throws
    {
        let server = try server {
            $0.access.trustedProxies = AddressRange("127.0.0.1").map { [$0] } ?? []
            $0.access.usesCookie = true
        }
        try server.start()
        let fields = [
            "Origin: https://localhost", "X-Forwarded-For: 203.0.113.9, 192.0.2.7", "X-Forwarded-Proto: https",
        ]
        let created = try create(server, fields)
        #expect(created.status == 201)
        #expect(created.fields.value(.setCookie)?.hasPrefix("__Host-granary=") == true)
        #expect(
            try create(server, ["Origin: http://localhost"]).fields.value(.setCookie)?.hasPrefix("granary=") == true)
        await server.stop()
        #expect(logged.withLock { $0 }.contains("192.0.2.7"))
    }
}
