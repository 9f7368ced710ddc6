import Access
import HTTPModel
import MachineTesting
import Testing

@testable import MachineHost

/// What protects the users of browsers.
struct BrowserAccessTests {
    private let access: TestAccess

    init() throws {
        var access = try TestAccess {
            $0.cookies = CookieAuthority(keys: .random())
            $0.host = HostAuthenticator(name: "test") { request in
                request.fields.value("x-user").map { .principal(id: $0) } ?? .none
            }
        }
        access.access.cors = CORSPolicy(
            [try #require(OriginPattern("https://app.example"))], usesCookies: true)
        self.access = access
    }

    /// The fields with which a browser returns a cookie.
    private func cookie(_ answer: HarnessAnswer) -> HTTPFields {
        let pair = answer.fields.value(.setCookie)?.split(separator: ";").first.map(String.init) ?? ""
        return HTTPFieldValue(pair).map { ["cookie": $0, .secFetchSite: "same-origin"] } ?? [:]
    }

    @Test func `only the creation of a session sets a cookie, and the session belongs to it`() throws {
        let harness = try access.harness()
        let browser: HTTPFields = [.secFetchSite: "same-origin"]
        #expect(harness.send(.get, "/v1/machines", fields: browser).fields.value(.setCookie) == nil)
        let wrong = harness.send(.post, "/v1/sessions", body: #"{"machine":"none"}"#, fields: browser)
        #expect(wrong.fields.value(.setCookie) == nil)
        let created = harness.create(as: browser)
        let session = try #require(created.fields.value(.location))
        #expect(created.fields.value(.setCookie)?.contains("HttpOnly; SameSite=Lax") == true)
        let known = cookie(created)
        #expect(harness.send(.get, session, fields: known).status == .ok)
        #expect(harness.send(.get, session, fields: browser).status == .notFound)
        let second = harness.create(as: known)
        #expect(second.status == .created)
        #expect(second.fields.value(.setCookie) == nil)
        // A client that is not a browser would not send it back.
        #expect(harness.create(as: [:]).fields.value(.setCookie) == nil)
    }

    @Test func `a browser without cookies uses its sessions like any other client`() throws {
        let harness = try access.harness()
        let browser: HTTPFields = [.secFetchSite: "same-origin", "prefer": "anonymous"]
        let created = harness.create(as: browser)
        #expect(created.fields.value(.setCookie) == nil)
        let session = try #require(created.fields.value(.location))
        #expect(harness.send(.get, session, fields: [.secFetchSite: "same-origin"]).status == .ok)
    }

    @Test(arguments: [["sec-fetch-site": "cross-site"], [.origin: "https://app.example"]] as [HTTPFields])
    func `the session of a page of another site belongs to nobody, because its cookie would not come back`(
        _ page: HTTPFields
    ) throws {
        let harness = try access.harness()
        for key in [nil, "a-key-of-more-than-22-characters"] {
            let created = harness.create(as: page, key: key)
            #expect(created.status == .created)
            #expect(created.fields.value(.setCookie) == nil)
            let session = try #require(created.fields.value(.location))
            #expect(harness.send(.post, session + "/inputs/speak", fields: page).status == .ok)
            #expect(harness.send(.get, session, fields: page).text.contains(#""creator":"nobody""#))
        }
        let named = harness.send(.post, "/v1/sessions", body: #"{"machine":"scripted","name":"n"}"#, fields: page)
        #expect(named.status == .forbidden)
        #expect(named.fields.value(.setCookie) == nil)
    }

    @Test func `a page of another origin of the same site uses its session with and without credentials`() throws {
        let harness = try access.harness()
        let page: HTTPFields = [.origin: "https://app.example", .secFetchSite: "same-site"]
        for key in [nil, "a-key-of-more-than-22-characters"] {
            let created = harness.create(as: page, key: key)
            let session = try #require(created.fields.value(.location))
            var known = cookie(created)
            known[.secFetchSite] = "same-site"
            known[.origin] = "https://app.example"
            #expect(harness.send(.get, session, fields: page).status == .ok)
            #expect(harness.send(.post, session + "/inputs/speak", fields: known).status == .ok)
            // The cookie has come back, so the next session belongs to it.
            let second = harness.create(as: known, key: key.map { $0 + "-2" })
            #expect(second.fields.value(.setCookie) == nil)
            let owned = try #require(second.fields.value(.location))
            #expect(harness.send(.get, owned, fields: known).status == .ok)
            #expect(harness.send(.get, owned, fields: page).status == .notFound)
        }
    }

    @Test func `a session of another origin that has a name belongs to the cookie`() throws {
        let harness = try access.harness()
        let page: HTTPFields = [.origin: "https://app.example", .secFetchSite: "same-site"]
        let body = #"{"machine":"scripted","name":"n"}"#
        let created = harness.send(.post, "/v1/sessions", body: body, fields: page)
        #expect(created.status == .created)
        var known = cookie(created)
        known[.origin] = "https://app.example"
        let again = harness.send(.post, "/v1/sessions", body: body, fields: known)
        #expect(again.status == .ok)
        #expect(again.fields.value(.location) == created.fields.value(.location))
    }

    @Test func `a session of another origin belongs to the cookie if the machine requires a principal`() throws {
        let machine = MachineDefinition.witness.restricted { principal, _ in
            principal == nil ? .deny("Sign in.") : .allow
        }
        let harness = try access.harness(machine)
        let page: HTTPFields = [.origin: "https://app.example", .secFetchSite: "same-site"]
        let created = harness.create(as: page)
        #expect(created.status == .created)
        var known = cookie(created)
        known[.origin] = "https://app.example"
        #expect(harness.send(.get, created.fields.value(.location) ?? "", fields: known).status == .ok)
        #expect(harness.create(as: [.secFetchSite: "cross-site"]).status == .forbidden)
    }

    @Test func `a repeated creation gets the same principal and session`() throws {
        let harness = try access.harness()
        let browser: HTTPFields = [.secFetchSite: "same-origin"]
        let key = "a-key-of-more-than-22-characters"
        let first = harness.create(as: browser, key: key)
        let second = harness.create(as: browser, key: key)
        let session = try #require(first.fields.value(.location))
        #expect(second.fields.value(.location) == session)
        #expect(second.fields.value(.idempotencyReplayed) == "true")
        #expect(harness.send(.get, session, fields: cookie(second)).status == .ok)
        #expect(harness.create(as: browser, key: "short").status == .badRequest)
    }

    @Test func `a page of another site changes nothing with a credential that browsers add`() throws {
        let harness = try access.harness()
        let own: HTTPFields = ["x-user": "eve", .secFetchSite: "same-origin"]
        let session = harness.makeSession(as: own)
        for fields: HTTPFields in [
            ["x-user": "eve"], ["x-user": "eve", .secFetchSite: "cross-site"],
            ["x-user": "eve", .origin: "https://evil.example"],
        ] {
            for (method, path) in [(HTTPMethod.post, "/inputs/speak"), (.delete, ""), (.post, "/tickets")] {
                let answer = harness.send(method, session + path, fields: fields)
                #expect(answer.status == .forbidden)
                #expect(answer.text.contains("/problems/cross-site"))
            }
            #expect(harness.create(as: fields).status == .forbidden)
        }
        #expect(harness.send(.post, session + "/inputs/speak", fields: own).status == .ok)
        let listed: HTTPFields = ["x-user": "eve", .origin: "https://app.example", .secFetchSite: "cross-site"]
        #expect(harness.send(.post, session + "/inputs/speak", fields: listed).status == .ok)
        // An explicit credential is not added by browsers.
        #expect(harness.create(as: access.ada).status == .created)
    }

    @Test func `a preflight request needs no credential`() throws {
        var access = access
        access.access.requiresPrincipal = true
        let harness = try access.harness()
        let asked: HTTPFields = [.origin: "https://app.example", .accessControlRequestMethod: "POST"]
        let answer = harness.send(.options, "/v1/sessions", fields: asked)
        #expect(answer.status == .noContent)
        #expect(answer.fields.value(.accessControlAllowOrigin) == "https://app.example")
        #expect(answer.fields.value(.accessControlMaxAge) == "7200")
        let unlisted: HTTPFields = [.origin: "https://evil.example", .accessControlRequestMethod: "POST"]
        let refused = harness.send(.options, "/v1/sessions", fields: unlisted)
        #expect(refused.fields.value(.accessControlAllowOrigin) == nil)
        #expect(refused.fields.value(.vary)?.contains("Origin") == true)
    }

    @Test func `every response names the origin and varies with it, errors and later ones too`() throws {
        let harness = try access.harness()
        let page: HTTPFields = [.origin: "https://app.example"]
        for target in ["/v1/machines", "/v1/nothing", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA", "/health/live"] {
            let answer = harness.send(.get, target, fields: page)
            #expect(answer.fields.value(.accessControlAllowOrigin) == "https://app.example")
            #expect(answer.fields.value(.vary) == "Origin")
        }
        #expect(harness.send(.get, "/v1/machines").fields.value(.vary) == "Origin")
        let stored = try StoredHost(access: access.access)
        let created = stored.send(.post, "/v1/sessions", body: #"{"machine":"scripted"}"#, fields: page)
        #expect(created.status == 201)
        #expect(created.response?.fields.value(.accessControlAllowOrigin) == "https://app.example")
    }
}
