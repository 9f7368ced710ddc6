import Access
import HTTPModel
import HTTPServerTesting
import Testing

@testable import Granary

/// Cookies and tickets that were changed, and tickets that are used twice, over sockets.
@Suite(.serialized) struct TamperingTests {
    /// Returns all texts that differ from a signed text in one bit of its bytes, and some of other lengths.
    private func changes(of text: String) throws -> [String] {
        let bytes = try #require(Base64URL.bytes(of: text.utf8))
        var changed = (0..<(bytes.count * 8)).map { bit in
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            return Base64URL.text(of: other)
        }
        changed += [
            Base64URL.text(of: bytes.dropLast()), Base64URL.text(of: bytes + [0]),
            Base64URL.text(of: bytes.dropFirst()),
            text + "=", text + "A", text.lowercased(), text.uppercased(), "",
        ]
        return changed
    }

    private func perform(_ body: (MatrixServer) throws -> Void) async throws {
        let server = try MatrixServer()
        do { try body(server) } catch { Issue.record(error) }
        await server.stop()
    }

    private func create(_ client: MatrixClient, _ fields: MatrixClient.Fields) throws -> String {
        let answer = try client.send("POST", "/v1/sessions", fields, body: #"{"machine":"talker"}"#)
        return try #require(answer.fields.value(.location), "\(answer.text)")
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a ticket with one changed bit is invalid`(version: ServedRoutes.Version) async throws {
        try await perform { server in
            let client = try server.client(version)
            let session = try create(client, [("authorization", "ApiKey \(server.adaKey)")])
            let ticket = try server.ticket(for: session)
            for text in try changes(of: ticket) {
                // HTTP/2 permits no space at the end of a value.
                let value = text.isEmpty ? "Ticket" : "Ticket \(text)"
                let answer = try client.send("GET", session, [("authorization", value)])
                let isRejected = answer.status == 401 && answer.text.contains(#""reason":"unknown-ticket""#)
                #expect(isRejected, "\(text): \(answer.text)")
            }
            #expect(try client.send("GET", session, [("authorization", "Ticket \(ticket)")]).status == 200)
            #expect(try client.firstEvent(of: "\(session)/outputs?ticket=\(ticket)", []).status == 200)
            // Not in the query of a request that changes something.
            #expect(try client.send("DELETE", "\(session)?ticket=\(ticket)").status == 404)
            client.close()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a cookie with one changed bit identifies nobody`(version: ServedRoutes.Version) async throws {
        try await perform { server in
            let client = try server.client(version)
            let cookie = try server.cookie("ada")
            let session = try create(client, [("cookie", cookie), ("sec-fetch-site", "same-origin")])
            let value = try #require(cookie.split(separator: "=", maxSplits: 1).last.map(String.init))
            for text in try changes(of: value) {
                let answer = try client.send("GET", session, [("cookie", "granary=\(text)")])
                #expect(answer.status == 404 && answer.kind == "not-found", "\(text): \(answer.text)")
            }
            // The cookie of the other scheme, and the text of a ticket.
            for field in ["__Host-granary=\(value)", "granary=\(try server.ticket(for: session))", "Granary=\(value)"] {
                #expect(try client.send("GET", session, [("cookie", field)]).status == 404, "\(field)")
            }
            #expect(try client.send("GET", session, [("authorization", "Ticket \(value)")]).status == 401)
            #expect(try client.send("GET", session, [("cookie", cookie)]).status == 200)
            client.close()
        }
    }

    @Test func `of two connections that use a ticket at the same time, one succeeds`() async throws {
        try await perform { server in
            let client = try server.client()
            let session = try create(client, [("authorization", "ApiKey \(server.adaKey)")])
            let port = try #require(server.server.port)
            let sockets = try (0..<2).map { _ in try HTTPTestClient(port: port) }
            for _ in 0..<50 {
                let ticket = try server.ticket(for: session, uses: 1)
                for socket in sockets {
                    try socket.send(
                        "POST \(session)/inputs/say HTTP/1.1\r\nHost: localhost\r\nAuthorization: Ticket \(ticket)\r\n\r\n"
                    )
                }
                let statuses = try sockets.map { try $0.receiveResponse().status }
                #expect(statuses.sorted() == [200, 401])
            }
            for socket in sockets { socket.close() }
            let shown = try client.send("GET", session, [("authorization", "ApiKey \(server.adaKey)")])
            #expect(shown.text.contains(#""version":1,"#))
            client.close()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a revoked ticket is worth nothing, and a stream does not use up a counted one`(
        version: ServedRoutes.Version
    ) async throws {
        try await perform { server in
            let client = try server.client(version)
            let owner = [("authorization", "ApiKey \(server.adaKey)")]
            let session = try create(client, owner)
            let counted = [("authorization", "Ticket \(try server.ticket(for: session, uses: 1))")]
            for _ in 0..<3 {
                let fields = counted + [("accept", "text/event-stream")]
                let answer = try client.send("GET", session + "/outputs", fields)
                #expect(answer.status == 403 && answer.kind == "forbidden")
            }
            #expect(try client.send("GET", session, counted).status == 200)
            #expect(try client.send("GET", session, counted).status == 401)
            let ticket = [("authorization", "Ticket \(try server.ticket(for: session))")]
            #expect(try client.send("GET", session, ticket).status == 200)
            #expect(try client.send("DELETE", session + "/tickets", owner).status == 204)
            let revoked = try client.send("GET", session, ticket)
            #expect(revoked.status == 401 && revoked.text.contains(#""reason":"revoked-ticket""#))
            #expect(try client.send("DELETE", session, owner).status == 204)
            // Its holder does not learn of the end.
            #expect(try client.send("GET", session, ticket).lasting == revoked.lasting)
            #expect(try client.send("GET", session, owner).status == 410)
            client.close()
        }
    }
}
