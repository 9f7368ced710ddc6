import Access
import HTTPModel
import Locking
import Log
import MachineTesting
import Testing

@testable import MachineHost

/// Who requests come from.
struct ShardAuthenticationTests {
    @Test func `a host without access control asks for nothing`() throws {
        let harness = try HostHarness([.witness])
        #expect(!harness.shard.access.isGuarded)
        let session = harness.makeSession(as: TestAccess.fields("Bearer anything"))
        #expect(harness.send(.get, session).text.contains(#""creator":"nobody""#))
    }

    @Test func `a rejected credential gets 401 with its reason, on every path but those of the health`() throws {
        let harness = try TestAccess().harness()
        let wrong = TestAccess.fields("ApiKey granary_wrong")
        for target in ["/v1/machines", "/v1/sessions", "/v1/nothing"] {
            let answer = harness.send(.get, target, fields: wrong)
            #expect(answer.status == .unauthorized)
            #expect(answer.fields.value(.wwwAuthenticate)?.contains("invalid_token") == true)
            #expect(answer.text.contains(#""reason":"unknown-api-key""#))
        }
        for target in ["/health/live", "/health/ready"] {
            #expect(harness.send(.get, target, fields: wrong).status == .ok)
        }
    }

    @Test func `two credentials get 400`() throws {
        let access = try TestAccess()
        let harness = try access.harness()
        var fields = access.ada
        fields.append(.authorization, try #require(access.bob.value(.authorization).flatMap { HTTPFieldValue($0) }))
        #expect(harness.send(.get, "/v1/machines", fields: fields).status == .badRequest)
    }

    @Test func `where a principal is required, only the health is open`() throws {
        var access = try TestAccess()
        access.access.requiresPrincipal = true
        let harness = try access.harness()
        for target in ["/v1/machines", "/v1/nothing"] {
            let answer = harness.send(.get, target)
            #expect(answer.status == .unauthorized)
            #expect(answer.fields.value(.wwwAuthenticate) == "Bearer realm=\"granary\"")
            #expect(answer.text.contains("/problems/credentials-required"))
        }
        #expect(harness.create(as: [:]).status == .unauthorized)
        #expect(harness.host.sessionCount == 0)
        #expect(harness.send(.get, "/health/ready").status == .ok)
        #expect(harness.send(.get, "/v1/machines", fields: access.ada).status == .ok)
    }

    @Test func `the configuration is replaced on every loop, and sessions keep their owners`() throws {
        let access = try TestAccess()
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        // Bob's key is another one now, and Ada's is revoked.
        let other = try TestAccess()
        harness.host.replaceAccess(other.access)
        harness.loop.run()
        #expect(harness.send(.get, session, fields: access.ada).status == .unauthorized)
        #expect(harness.send(.get, session, fields: other.bob).status == .notFound)
        #expect(harness.send(.get, session, fields: other.ada).status == .ok)
        harness.host.replaceAccess(HostAccess())
        harness.loop.run()
        #expect(!harness.shard.access.isGuarded)
        #expect(harness.send(.get, session).status == .notFound)
    }

    @Test func `rejected credentials are logged without them`() throws {
        let lines = Lock<[String]>([])
        var access = try TestAccess()
        access.access.audit = .id
        let harness = try HostHarness(
            [.witness],
            log: Log(level: .info) { event in lines.withLock { $0.append("\(event.message) \(event.fields)") } },
            access: access.access)
        _ = harness.send(.get, "/v1/machines", fields: TestAccess.fields("ApiKey granary_wrong"))
        _ = harness.makeSession(as: access.ada)
        let text = lines.withLock { $0.joined() }
        #expect(text.contains("audit: credentials rejected") && text.contains("unknown-api-key"))
        #expect(text.contains("audit: session created") && text.contains("apiKey/ada"))
        #expect(!text.contains("granary_"))
    }
}
