import HTTP1
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Granary

/// The fields for pages of other origins, on responses that no session has written, over sockets.
@Suite(.serialized) struct PolicyFieldTests {
    private static let origin = "https://app.example"

    private func perform(
        _ configure: (inout Configuration) -> Void, _ body: (MatrixServer) throws -> Void
    ) async throws {
        let server = try MatrixServer(MatrixServer.Setting(origins: [Self.origin]), configure: configure)
        do { try body(server) } catch { Issue.record(error) }
        await server.stop()
    }

    /// Sends a request for a page of an origin, on a connection of its own: HTTP/1.1 closes it after most errors.
    private func send(
        _ server: MatrixServer, _ version: ServedRoutes.Version, _ method: String, _ path: String,
        _ fields: MatrixClient.Fields = [], body: String? = nil, from origin: String = Self.origin
    ) throws -> MatrixClient.Answer {
        let client = try server.client(version, isSecure: true)
        defer { client.close() }
        return try client.send(method, path, [("origin", origin)] + fields, body: body)
    }

    private static let faults:
        [(method: String, path: String, fields: MatrixClient.Fields, body: String?, status: Int)] =
            [
                ("POST", "/v1/sessions", [], String(repeating: " ", count: 101), 413),
                ("GET", "/" + String(repeating: "a", count: 200), [], nil, 414),
                ("GET", "/", [("expect", "magic")], nil, 417),
                ("GET", "/", (0..<30).map { ("x-\($0)", "1") }, nil, 431),
                ("GET", "/nowhere", [], nil, 404), ("GET", "/", [], nil, 200),
                ("GET", "/v1/machines", [("accept-encoding", "identity;q=0, *;q=0")], nil, 406),
            ]

    @Test(arguments: ServedRoutes.Version.allCases)
    func `every response has the fields, whoever has written it`(version: ServedRoutes.Version) async throws {
        let configure: (inout Configuration) -> Void = {
            $0.server.limits.bodyBytes = 100
            $0.server.limits.targetBytes = 150
            $0.server.limits.fieldCount = 20
        }
        try await perform(configure) { server in
            for (method, path, fields, body, status) in Self.faults {
                let answer = try send(server, version, method, path, fields, body: body)
                #expect(answer.status == status, "\(path)")
                #expect(answer.fields.values(.accessControlAllowOrigin) == [Self.origin], "\(status)")
                #expect(answer.fields.values(.vary).joined(separator: ", ").contains("Origin"), "\(status)")
                let other = try send(server, version, method, path, fields, body: body, from: "https://evil.example")
                #expect(other.status == status)
                #expect(!other.fields.contains(.accessControlAllowOrigin), "\(status)")
            }
        }
    }

    @Test(arguments: [
        ("GET /v1/machines HTTP/1.1\r\nHost: elsewhere.example\r\n@\r\n", 421),
        ("GET /a b HTTP/1.1\r\nHost: localhost\r\n@\r\n", 400),
        ("POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n@Content-Length: 10\r\n\r\n", 408),
    ])
    func `so has the response to a request that cannot be served`(text: String, status: Int) async throws {
        try await perform({ $0.server.bodyTimeout = .milliseconds(50) }) { server in
            guard case .address(let host, let port) = try server.listener().place else { return }
            for (origin, expected) in [(Self.origin, [Self.origin]), ("https://evil.example", [])] {
                let client = try HTTPTestClient(port: port, host: host)
                try client.send(text.replacing("@", with: "Origin: \(origin)\r\n"))
                let answer = try client.receiveResponse(toHead: false)
                #expect(answer.status == status)
                #expect(answer.fields.values(.accessControlAllowOrigin) == expected)
                client.close()
            }
        }
    }
}
