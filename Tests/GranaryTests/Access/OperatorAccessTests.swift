import Access
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Log
import MachineTesting
import Testing

@testable import Granary

/// Admin listeners that other machines can reach, over sockets.
@Suite struct OperatorAccessTests {
    private let folder: KeyFolder
    private let logged = Lock("")

    init() throws { folder = try KeyFolder() }

    private var log: Log {
        Log(level: .info) { [logged] event in
            // A text, without its quotation marks and its case.
            let fields = event.fields.map { field in
                if case .text(let text) = field.value { "\(field.name)=\(text)" } else { "\(field.name)" }
            }.sorted().joined(separator: " ")
            logged.withLock { $0 += "\(event.message) \(fields)\n" }
        }
    }

    /// Starts a server with API keys of `prometheus`, who is an operator, and of `reports`, who is not.
    private func start(
        _ listeners: [String], change: (inout Configuration) throws -> Void = { _ in }
    ) throws -> (server: Server, operatorKey: String, otherKey: String) {
        let (first, text) = try APIKeyFile("").adding("prometheus")
        let (second, both) = try APIKeyFile(text).adding("reports")
        var configuration = Configuration()
        configuration.server.loopCount = 2
        configuration.extendTimeouts()
        configuration.server.listeners = try listeners.map { try HTTPListener($0) }
        configuration.tls.reloadInterval = .milliseconds(100)
        configuration.access.apiKeys = try folder.write(both, to: "api.keys")
        configuration.access.operators = ["apiKey:prometheus"]
        try change(&configuration)
        let server = Server(
            configuration: configuration, log: log, machines: [ScriptedMachine.definition(outputs: ["text"])])
        try server.start()
        return (server, first, second)
    }

    private func get(
        _ path: String, from listener: HTTPListener, _ fields: [String] = [], method: String = "GET"
    ) throws -> HTTPTestResponse {
        let client: HTTPTestClient
        switch listener.place {
        case .address(let host, let port):
            client = try HTTPTestClient(port: port, host: host == "0.0.0.0" ? "127.0.0.1" : host)
        case .unix(let path, _): client = try HTTPTestClient(unixSocket: path)
        }
        defer { client.close() }
        let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try client.receiveResponse()
    }

    private func bearer(_ credential: String) -> [String] { ["Authorization: Bearer \(credential)"] }

    @Test func `metrics for other machines need the key of an operator`() async throws {
        let (server, operatorKey, otherKey) = try start(["http://127.0.0.1:0", "admin+http://0.0.0.0:0"])
        let admin = server.listeners[1]
        let answer = try get("/metrics", from: admin, bearer(operatorKey))
        #expect(answer.status == 200 && answer.text.contains("granary_build_info"))
        let none = try get("/metrics", from: admin)
        #expect(none.status == 401 && none.text.contains("/problems/credentials-required"), "\(none.text)")
        #expect(none.fields.value(.wwwAuthenticate) == "Bearer realm=\"granary\"")
        let other = try get("/metrics", from: admin, bearer(otherKey))
        #expect(other.status == 403 && other.text.contains("access.operators"), "\(other.text)")
        let unknown = try get("/metrics", from: admin, bearer("granary_AAAA"))
        #expect(unknown.status == 401 && unknown.text.contains("\"reason\":\"unknown-api-key\""), "\(unknown.text)")
        // What exists is not for strangers either.
        #expect(try get("/v1/machines", from: admin).status == 401)
        #expect(try get("/v1/machines", from: admin, bearer(operatorKey)).status == 404)
        #expect(try get("/metrics", from: admin, ["Cookie: granary=x", "X-Forwarded-User: prometheus"]).status == 401)
        await server.stop()
        let text = logged.withLock { $0 }
        #expect(text.contains("audit: operator refused client=127.0.0.1 principal="), "\(text)")
        #expect(text.contains("audit: credentials rejected client=127.0.0.1 reason=unknown-api-key"), "\(text)")
        #expect(!text.contains(operatorKey) && !text.contains(otherKey))
    }

    @Test func `health needs no credentials, and neither do listeners that only this machine can reach`() async throws {
        let socket = "\(folder.path)/admin.sock"
        let (server, _, _) = try start([
            "admin+http://0.0.0.0:0", "admin+http://127.0.0.1:0", "admin+http://[::1]:0", "admin+unix:\(socket)",
        ])
        for (listener, status) in zip(server.listeners, [401, 200, 200, 200]) {
            #expect(try get("/health/ready", from: listener).status == 200, "\(listener)")
            #expect(try get("/metrics", from: listener).status == status, "\(listener)")
        }
        await server.stop()
    }

    @Test func `the operators of a token are those with the claim`() async throws {
        let signer = try #require(TokenSigner.all[.es256])
        let (server, key, _) = try start(["admin+http://0.0.0.0:0"]) {
            $0.access.tokenIssuers = [
                .init(
                    issuer: signer.issuer, audiences: ["granary"], algorithms: ["ES256"],
                    keys: try folder.write(signer.keyFile, to: "jwt.pem"))
            ]
            $0.access.operators = ["claim:role=operator"]
        }
        func status(_ role: String, until seconds: Int64 = 4_102_444_800) throws -> Int {
            let claims = signer.claims("ada", until: seconds).dropLast() + ",\"role\":\(role)}"
            return try get("/metrics", from: server.listeners[0], bearer(signer.token(claims: String(claims)))).status
        }
        #expect(try status("\"operator\"") == 200)
        #expect(try status("[\"editor\",\"operator\"]") == 200)
        #expect(try status("\"editor\"") == 403)
        #expect(try status("\"operator\"", until: 1_000_000_000) == 401)
        // The key exists, but no selector names it.
        #expect(try get("/metrics", from: server.listeners[0], bearer(key)).status == 403)
        await server.stop()
    }

    @Test func `a revoked key is rejected, and a new one accepted, without a restart`() async throws {
        let (server, old, _) = try start(["admin+http://0.0.0.0:0"])
        let admin = server.listeners[0]
        let (new, text) = try APIKeyFile("").adding("prometheus")
        #expect(try get("/metrics", from: admin, bearer(old)).status == 200)
        try folder.write(text, to: "api.keys")
        #expect(try await eventually { try get("/metrics", from: admin, bearer(new)).status == 200 })
        #expect(try get("/metrics", from: admin, bearer(old)).status == 401)
        await server.stop()
    }

    @Test func `a trusted proxy names an operator, and a ticket or a cookie does not`() async throws {
        let (server, _, _) = try start(["admin+http://0.0.0.0:0"]) {
            $0.access.proxyField = "X-Forwarded-User"
            $0.access.trustedProxies = AddressRange("127.0.0.1").map { [$0] } ?? []
            $0.access.usesCookie = true
            $0.access.operators = ["proxy:ada"]
        }
        let admin = server.listeners[0]
        #expect(try get("/metrics", from: admin, ["X-Forwarded-User: ada"]).status == 200)
        #expect(try get("/metrics", from: admin, ["X-Forwarded-User: bob"]).status == 403)
        #expect(try get("/metrics?ticket=x", from: admin).status == 401)
        #expect(try get("/metrics", from: admin, ["Authorization: Ticket x"]).status == 401)
        await server.stop()
    }

    @Test func `a certificate names an operator`() throws {
        var configuration = Configuration()
        configuration.tls.clientIssuers = "/etc/issuers.pem"
        configuration.access.certificateName = .dns
        configuration.access.operators = ["certificate:scraper.example"]
        let operators = OperatorAccess(
            configuration.access.operators, access: try ServedAccess(configuration, log: .silent))
        func status(_ names: [String], role: ListenerRole = .admin, isLocal: Bool = false) -> UInt16? {
            let peer = HTTPPeer(
                address: "192.0.2.1", port: 1, certificateSubject: "CN=a", certificateNames: names, role: role,
                isListenerLocal: isLocal)
            return operators.refusal(of: HTTPRequest(method: .get, target: "/metrics", peer: peer))?.status.code
        }
        #expect(status(["DNS:scraper.example"]) == nil)
        #expect(status(["DNS:other.example"]) == 403)
        #expect(status(["email:scraper.example"]) == 401)
        #expect(status([], isLocal: true) == nil)
    }

    @Test func `wrong credentials of an address are limited`() throws {
        let (key, text) = try APIKeyFile("").adding("prometheus")
        var configuration = Configuration()
        configuration.access.apiKeys = try folder.write(text, to: "api.keys")
        configuration.access.operators = ["apiKey:prometheus"]
        configuration.access.rates.rejectedCredentials = .init(count: 2, window: .seconds(86_400))
        let operators = OperatorAccess(
            configuration.access.operators, access: try ServedAccess(configuration, log: .silent))
        func status(_ key: String, _ address: String = "192.0.2.1") -> UInt16? {
            operators.refusal(
                of: HTTPRequest(
                    method: .get, target: "/metrics", fields: [.authorization: HTTPFieldValue("ApiKey " + key) ?? ""],
                    peer: HTTPPeer(address: address, port: 1, role: .admin)))?.status.code
        }
        for _ in 0..<2 { #expect(status("wrong") == 401) }
        #expect(status("wrong") == 429)
        #expect(status(key) == nil)
        #expect(status("wrong", "192.0.2.2") == 401)
    }

    @Test func `without keys nobody is an operator`() throws {
        let request = HTTPRequest(
            method: .get, target: "/metrics", peer: HTTPPeer(address: "127.0.0.1", port: 1, role: .admin))
        #expect(OperatorAccess().refusal(of: request)?.status == .unauthorized)
        let access = try ServedAccess(Configuration(), log: .silent)
        #expect(OperatorAccess(access: access).refusal(of: request)?.status == .unauthorized)
    }
}
