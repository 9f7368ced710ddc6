import HTTPModel
import MachineHost
import MachineTesting
import Testing

/// The methods that each path allows.
struct MethodTests {
    /// Each path, the methods that it allows, and a body for those that need one.
    private static let paths: [(path: String, allow: String, body: String?)] = [
        ("/v1/machines", "GET, HEAD, OPTIONS", nil),
        ("/v1/machines/scripted", "GET, HEAD, OPTIONS", nil),
        ("/v1/sessions", "POST, OPTIONS", "{\"machine\":\"scripted\"}"),
        ("SESSION", "GET, HEAD, DELETE, OPTIONS", nil),
        ("SESSION/inputs", "POST, OPTIONS", "[]"),
        ("SESSION/inputs/increment", "POST, OPTIONS", nil),
        ("SESSION/outputs", "GET, HEAD, OPTIONS", nil),
        ("SESSION/stream", "GET, HEAD, OPTIONS", nil),
        ("/health/live", "GET, HEAD, OPTIONS", nil),
        ("/health/ready", "GET, HEAD, OPTIONS", nil),
    ]

    @Test(arguments: paths.indices)
    func `a path accepts its allowed methods and rejects all others with a list of them`(
        index: Int
    ) throws {
        let (path, allow, body) = Self.paths[index]
        let allowed = allow.split(separator: ", ").map(String.init)
        for name in [
            "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", "BREW",
        ] {
            let harness = try HostHarness.counting()
            let target = path.replacing("SESSION", with: harness.makeSession())
            let answer = harness.send(HTTPMethod(rawValue: name), target, body: body)
            if name == "OPTIONS" {
                #expect(answer.status == .noContent)
                #expect(answer.fields.value(.allow) == allow)
            } else if allowed.contains(name) {
                #expect((200...204).contains(answer.status.code), "\(name) \(path)")
                #expect(!answer.fields.contains(.allow))
            } else {
                #expect(answer.status == .methodNotAllowed, "\(name) \(path)")
                #expect(answer.fields.value(.allow) == allow)
                #expect(answer.text.hasPrefix("{\"type\":\"/problems/method-not-allowed\""))
            }
        }
    }

    @Test func `a rejected method has no effect`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for method: HTTPMethod in [.get, .put, .delete, .options] {
            _ = harness.send(method, session + "/inputs/increment")
            _ = harness.send(method, session + "/inputs", body: "[{\"input\":\"increment\"}]")
        }
        #expect(harness.send(.get, session).text.contains("\"version\":0,"))
        for method: HTTPMethod in [.put, .delete, .options] {
            _ = harness.send(method, "/v1/sessions", body: "{}")
        }
        #expect(harness.host.sessionCount == 1)
    }

    @Test func `a missing resource is missing for every method`() throws {
        let harness = try HostHarness.counting()
        let ended = harness.makeSession()
        _ = harness.send(.delete, ended)
        for method: HTTPMethod in [.get, .post, .put, .delete, .options] {
            #expect(harness.send(method, "/v1/nothing").status == .notFound)
            #expect(harness.send(method, "/v1/machines/nobody").status == .notFound)
            #expect(harness.send(method, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA").status == .notFound)
            #expect(harness.send(method, ended).status == .gone)
        }
    }

    @Test(arguments: [
        "SESSION", "SESSION/outputs", "/v1/machines", "/v1/machines/scripted", "/health/ready",
    ])
    func `HEAD returns the status and the fields of GET`(path: String) throws {
        let harness = try HostHarness.counting()
        let target = path.replacing("SESSION", with: harness.makeSession())
        let (get, head) = (harness.send(.get, target), harness.send(.head, target))
        #expect(get.status == .ok)
        #expect(head.status == get.status)
        #expect(head.fields == get.fields)
        #expect(harness.send(.head, "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA").status == .notFound)
    }
}
