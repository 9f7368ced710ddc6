import Access
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@testable import Granary

/// Credentials that browsers and proxies add, over sockets.
@Suite(.serialized) struct AmbientCredentialTests {
    private static let origin = "https://app.example"

    private func perform(
        _ setting: MatrixServer.Setting, _ body: (MatrixServer) throws -> Void
    ) async throws {
        let server = try MatrixServer(setting)
        do { try body(server) } catch { Issue.record(error) }
        await server.stop()
    }

    private func trusting() -> MatrixServer.Setting {
        MatrixServer.Setting(trustsLoopback: true, origins: [Self.origin, "https://*.apps.example"])
    }

    private func create(_ client: MatrixClient, _ fields: MatrixClient.Fields) throws -> String {
        let answer = try client.send("POST", "/v1/sessions", fields, body: #"{"machine":"talker"}"#)
        return try #require(answer.fields.value(.location), "\(answer.text)")
    }

    /// What a page of a site causes a browser to send, and whether it may change something.
    private static let pages: [(fields: MatrixClient.Fields, isPermitted: Bool)] = [
        ([("sec-fetch-site", "same-origin")], true), ([("sec-fetch-site", "none")], true),
        ([("sec-fetch-site", "same-site")], false), ([("sec-fetch-site", "cross-site")], false),
        ([("sec-fetch-site", "SAME-ORIGIN")], false), ([("sec-fetch-site", "")], false), ([], false),
        ([("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")], false),
        ([("origin", "http://localhost")], true), ([("origin", origin)], true),
        ([("origin", origin), ("sec-fetch-site", "cross-site")], true),
        ([("origin", "https://one.apps.example"), ("sec-fetch-site", "cross-site")], true),
        ([("origin", "https://a.b.apps.example"), ("sec-fetch-site", "cross-site")], false),
        ([("origin", "null")], false), ([("origin", "https://evil.example")], false),
        ([("origin", "http://localhost.evil.example")], false), ([("origin", "http://localhost:81")], false),
        ([("origin", "https://localhost")], false), ([("origin", "http://app.example")], false),
        ([("origin", "https://app.example.evil.example")], false),
        ([("origin", origin), ("origin", "https://evil.example")], false),
        ([("referer", "http://localhost/"), ("host-origin", "http://localhost")], false),
    ]

    @Test(arguments: ["cookie", "x-user", "x-forwarded-user"], ServedRoutes.Version.allCases)
    func `only the server's own and listed pages change something with an ambient credential`(
        field: String, version: ServedRoutes.Version
    ) async throws {
        try await perform(trusting()) { server in
            let client = try server.client(version)
            let own = [(field, field == "cookie" ? try server.cookie("ada") : "ada")]
            let session = try create(client, own + [("sec-fetch-site", "same-origin")])
            var count = 0
            for (fields, isPermitted) in Self.pages {
                let all = own + fields
                #expect(try client.send("GET", session, all).status == 200, "\(fields)")
                let answers = [
                    try client.send("POST", session + "/inputs/say", all, body: "\"\(count)\""),
                    try client.send("POST", session + "/inputs", all, body: "[]"),
                    try client.send("POST", session + "/tickets", all, body: #"{"allows":["read"]}"#),
                    try client.send("POST", "/v1/sessions", all, body: #"{"machine":"talker"}"#),
                ]
                for answer in answers {
                    #expect((answer.status < 300) == isPermitted, "\(fields): \(answer.status) \(answer.text)")
                    #expect((answer.kind == "cross-site") == !isPermitted, "\(fields)")
                }
                if isPermitted { count += 1 }
                if !isPermitted { #expect(try client.send("DELETE", session, all).kind == "cross-site") }
            }
            #expect(try client.send("GET", session, own).text.contains("\"version\":\(count),"))
            // A page cannot add an explicit credential.
            let explicit = own + [("authorization", "ApiKey \(server.adaKey)"), ("sec-fetch-site", "cross-site")]
            _ = try create(client, explicit)
            client.close()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a client certificate is an ambient credential, and one of another issuer is not accepted`(
        version: ServedRoutes.Version
    ) async throws {
        try await perform(.open) { server in
            let client = try server.client(version, isSecure: true, as: "ada")
            let crossSite = [("sec-fetch-site", "cross-site")]
            let refused = try client.send("POST", "/v1/sessions", crossSite, body: #"{"machine":"talker"}"#)
            #expect(refused.status == 403 && refused.kind == "cross-site")
            _ = try create(client, [("origin", "https://localhost")])
            client.close()
            #expect(throws: (any Error).self) {
                let eve = try server.client(version, isSecure: true, as: "eve")
                _ = try eve.send("GET", "/v1/machines")
            }
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a client certificate that has expired ends the handshake`(version: ServedRoutes.Version) async throws {
        try await perform(.open) { server in
            let client = try server.client(version, isSecure: true, as: "ada")
            let session = try create(client, [("sec-fetch-site", "same-origin")])
            // The client's side of the handshake is complete before the server has seen the certificate. Nothing is sent
            // after it, because a server that closes with unread bytes resets the connection, and the alert is lost.
            guard case .address(let host, let port) = try server.listener(isSecure: true).place else {
                throw HTTPTestError("expected a TCP listener")
            }
            let socket = try HTTPTestClient(port: port, host: host)
            defer { socket.close() }
            let error = try #require(throws: HTTPTestError.self) {
                try socket.beginTLS(MatrixClient.options(version, server.certificates["old"]))
                _ = try socket.receiveHead()
            }
            #expect("\(error)".contains("alert certificate expired"), "\(error)")
            for (method, path, body) in [
                ("GET", session, nil), ("GET", "/v1/machines", nil), ("GET", "/health/live", nil),
                ("POST", session + "/inputs/say", "\"old\""), ("POST", "/v1/sessions", #"{"machine":"talker"}"#),
                ("DELETE", session, nil),
            ] as [(String, String, String?)] {
                #expect(throws: (any Error).self, "\(method) \(path)") {
                    let old = try server.client(version, isSecure: true, as: "old")
                    _ = try old.send(method, path, [("sec-fetch-site", "same-origin")], body: body)
                }
            }
            // A certificate that has not expired is still accepted, and nothing was changed.
            #expect(try client.send("GET", session).text.contains("\"version\":0,"))
            client.close()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `the field of a proxy counts only if a trusted one has sent it, once`(
        version: ServedRoutes.Version
    ) async throws {
        let browser = [("sec-fetch-site", "same-origin")]
        try await perform(trusting()) { server in
            let client = try server.client(version)
            let session = try create(client, [("x-forwarded-user", "ada")] + browser)
            #expect(try client.send("GET", session, [("x-forwarded-user", "ada")]).status == 200)
            #expect(try client.send("GET", session, [("x-forwarded-user", "Ada")]).status == 404)
            #expect(try client.send("GET", session, [("x-forwarded-user", "")]).status == 404)
            let twice = [("x-forwarded-user", "ada"), ("x-forwarded-user", "ada")]
            #expect(try client.send("GET", session, twice).status == 400)
            let long = [("x-forwarded-user", String(repeating: "a", count: 600))]
            #expect(try client.send("GET", session, long).status == 401)
            client.close()
        }
        try await perform(.open) { server in
            let client = try server.client(version)
            let answer = try client.send(
                "POST", "/v1/sessions", [("x-forwarded-user", "ada")] + browser,
                body: #"{"machine":"talker","name":"n"}"#)
            // The browser gets a principal of its own.
            #expect(answer.status == 201 && answer.fields.contains(.setCookie))
            let path = try #require(answer.fields.value(.location))
            #expect(try client.send("GET", path, [("x-forwarded-user", "ada")]).status == 404)
            let named = try client.send(
                "POST", "/v1/sessions", [("x-forwarded-user", "ada")], body: #"{"machine":"talker","name":"n"}"#)
            #expect(named.status == 403)
            client.close()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a preflight is answered for listed origins only`(version: ServedRoutes.Version) async throws {
        try await perform(trusting()) { server in
            let client = try server.client(version)
            let paths = [
                "/v1/sessions", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA", "/v1/outputs?session=AAAAAAAAAAAAAAAAAAAAAA",
            ]
            func preflight(_ path: String, _ origin: String) throws -> MatrixClient.Answer {
                try client.send(
                    "OPTIONS", path,
                    [
                        ("origin", origin), ("access-control-request-method", "POST"),
                        ("access-control-request-headers", "authorization"),
                        ("access-control-request-private-network", "true"),
                    ])
            }
            for path in paths {
                for origin in [Self.origin, "https://one.apps.example"] {
                    let answer = try preflight(path, origin)
                    #expect(answer.status == 204 && answer.text.isEmpty)
                    #expect(answer.fields.value(.accessControlAllowOrigin) == origin)
                    #expect(answer.fields.value(.accessControlMaxAge) == "7200")
                    #expect(answer.fields.value(.accessControlAllowCredentials) == "true")
                    #expect(!answer.fields.contains("access-control-allow-private-network"))
                }
                for origin in [
                    "https://evil.example", "null", "http://app.example", "https://app.example:444",
                    "https://apps.example",
                    "https://a.b.apps.example", "https://app.example.evil.example", "https://evilapp.example", "*", "",
                    "https://APP.example",
                ] {
                    let answer = try preflight(path, origin)
                    #expect(!answer.fields.contains(.accessControlAllowOrigin), "\(origin)")
                    #expect(!answer.fields.contains(.accessControlAllowCredentials), "\(origin)")
                    #expect(answer.fields.value(.vary)?.contains("Origin") == true, "\(origin)")
                }
            }
            client.close()
        }
    }
}
