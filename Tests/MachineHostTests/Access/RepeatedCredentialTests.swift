import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// What a connection may do whose last credential is remembered: never more than a new connection with the same credential.
struct RepeatedCredentialTests {
    private let access: TestAccess
    private let peer = HTTPPeer(address: "192.0.2.7", port: 1)

    init() throws {
        access = try TestAccess { $0.cookies = CookieAuthority(keys: .random()) }
    }

    /// Returns the status of two requests of the connection, of which the second one finds the credential remembered.
    private func statuses(
        _ harness: HostHarness, _ target: String, _ fields: HTTPFields, _ method: HTTPMethod = .get
    ) -> [UInt16] {
        (0..<2).map { _ in harness.send(method, target, fields: fields, from: peer).status.code }
    }

    private func holder(_ ticket: String) -> HTTPFields { TestAccess.fields("Ticket \(ticket)") }

    @Test func `a key that is removed or renamed is so for the next request`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        #expect(statuses(harness, session, access.ada) == [200, 200])
        let other = try TestAccess()
        harness.host.replaceAccess(other.access)
        harness.loop.run()
        #expect(statuses(harness, session, access.ada) == [401, 401])
        // One key, first with Ada's name and then with Bob's.
        let (key, text) = try APIKeyFile("").adding("ada")
        let hasher = PrincipalHasher(key: SecretBytes(copying: Array(repeating: 7, count: 32)))
        for (name, expected) in [("ada", [200, 200]), ("bob", [404, 404])] as [(String, [UInt16])] {
            var renamed = other.access
            let file = try APIKeyFile(text.replacing("ada ", with: "\(name) "))
            renamed.authentication?.apiKeys = APIKeys(file, hasher: hasher)
            harness.host.replaceAccess(renamed)
            harness.loop.run()
            #expect(statuses(harness, session, TestAccess.fields("ApiKey \(key)")) == expected, "\(name)")
        }
    }

    @Test func `a ticket that is revoked, used up or expired between two requests is refused`() throws {
        let harness = try access.harness()
        let session = harness.makeSession(as: access.ada)
        let revoked = holder(harness.ticket(session, #"{"allows":["read"]}"#, as: access.ada))
        #expect(statuses(harness, session, revoked) == [200, 200])
        #expect(harness.send(.delete, session + "/tickets", fields: access.ada).status == .noContent)
        #expect(statuses(harness, session, revoked) == [401, 401])
        let counted = holder(harness.ticket(session, #"{"allows":["write"],"uses":3}"#, as: access.ada))
        let speak = session + "/inputs/speak"
        #expect(statuses(harness, speak, counted, .post) == [200, 200])
        #expect(statuses(harness, speak, counted, .post) == [200, 401])
        let short = holder(harness.ticket(session, #"{"allows":["read"],"expiresIn":"60s"}"#, as: access.ada))
        #expect(statuses(harness, session, short) == [200, 200])
        harness.loop.advance(by: .seconds(61))
        #expect(statuses(harness, session, short) == [401, 401])
    }

    @Test func `requests of several principals on one connection are not mixed up`() throws {
        let harness = try access.harness()
        // As streams of HTTP/2, or requests that a gateway passes on without saying for whom.
        let sessions = [access.ada, access.bob].map { harness.makeSession(as: $0) }
        for _ in 0..<3 {
            for (place, fields) in [access.ada, access.bob, access.bob, access.ada].enumerated() {
                let own = place == 0 || place == 3 ? 0 : 1
                #expect(statuses(harness, sessions[own], fields) == [200, 200])
                #expect(statuses(harness, sessions[1 - own], fields) == [404, 404])
                #expect(statuses(harness, sessions[own], [:]) == [404, 404])
            }
        }
    }

    @Test func `a remembered credential conflicts with a second one, and a cookie does not replace one that is wrong`()
        throws
    {
        let harness = try access.harness()
        let created = harness.create(as: [.secFetchSite: "same-origin"])
        let pair = try #require(created.fields.value(.setCookie)).prefix { $0 != ";" }
        let cookie = try #require(HTTPFieldValue(String(pair)))
        let ofBrowser = try #require(created.fields.value(.location))
        let ofAda = harness.makeSession(as: access.ada)
        #expect(statuses(harness, ofBrowser, ["cookie": cookie]) == [200, 200])
        var both = access.ada
        both.append("cookie", cookie)
        // The explicit credential decides, known or not.
        for _ in 0..<2 {
            #expect(statuses(harness, ofAda, both) == [200, 200])
            #expect(statuses(harness, ofBrowser, both) == [404, 404])
            #expect(statuses(harness, ofBrowser, ["cookie": cookie]) == [200, 200])
        }
        #expect(
            statuses(harness, ofBrowser, [.authorization: "ApiKey granary_wrong", "cookie": cookie]) == [401, 401])
        let ada = try #require(access.ada[.authorization])
        let bob = try #require(access.bob[.authorization])
        for (first, second) in [(ada, bob), (bob, ada), (ada, ada)] {
            #expect(statuses(harness, ofAda, access.ada) == [200, 200])
            let fields: HTTPFields = [.authorization: first, "if-none-matc": "x", .authorization: second]
            #expect(statuses(harness, ofAda, fields) == [400, 400])
        }
    }

    @Test func `the next process remembers nothing of a connection`() throws {
        let first = try access.harness()
        let session = first.makeSession(as: access.ada)
        #expect(statuses(first, session, access.ada) == [200, 200])
        let next = try TestAccess().harness()
        #expect(statuses(next, "/v1/machines", access.ada) == [401, 401])
    }
}
